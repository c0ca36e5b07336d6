import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";

/** Makes a customer, and goes there. */
export function CustomerDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [externalId, setExternalId] = useState("");
  const [email, setEmail] = useState("");
  const create = useChange({
    change: () =>
      admin.organization(organizationId).customers.create({
        externalId: externalId.trim(),
        name: name.trim(),
        ...(email.trim() === "" ? {} : { email: email.trim() }),
      }),
    untrue: [["customers", organizationId]],
    onDone: (customer) =>
      navigate({
        to: "/organizations/$organizationId/customers/$customerId",
        params: { organizationId, customerId: customer.externalId },
      }),
  });
  return (
    <FormDialog
      title="New customer"
      action="Create the customer"
      isReady={name.trim() !== "" && externalId.trim() !== ""}
      change={create}
      failure="The customer was not created."
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" name="name" value={name} onChange={setName} maxLength={200} autoFocus />
      <Field
        label="ID"
        name="external-id"
        value={externalId}
        onChange={setExternalId}
        isCode
        maxLength={200}
        hint="By which your application names this customer. It cannot be changed."
      />
      <Field
        label="Email (optional)"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
      />
    </FormDialog>
  );
}
