import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";

/** Makes a customer, and goes there. */
export function CustomerDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [externalId, setExternalId] = useState("");
  const [email, setEmail] = useState("");
  const create = useMutation({
    mutationFn: () =>
      admin.organization(organizationId).customers.create({
        externalId: externalId.trim(),
        name: name.trim(),
        ...(email.trim() === "" ? {} : { email: email.trim() }),
      }),
    async onSuccess(customer) {
      await queryClient.invalidateQueries({ queryKey: ["customers", organizationId] });
      await navigate({
        to: "/organizations/$organizationId/customers/$customerId",
        params: { organizationId, customerId: customer.externalId },
      });
    },
  });
  return (
    <FormDialog
      title="New customer"
      action="Create the customer"
      isReady={name.trim() !== "" && externalId.trim() !== ""}
      isPending={create.isPending}
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
      {create.isError && <Failure error={create.error} what="The customer was not created." />}
    </FormDialog>
  );
}
