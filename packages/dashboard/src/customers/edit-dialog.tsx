import type { AdminCustomer } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

/** Changes what is known of a customer. */
export function EditDialog({
  customer,
  onClose,
}: {
  readonly customer: AdminCustomer;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [name, setName] = useState(customer.name);
  const [email, setEmail] = useState(customer.email ?? "");
  const [city, setCity] = useState(customer.city ?? "");
  const [country, setCountry] = useState(customer.country ?? "");
  const isCountry = country === "" || /^[A-Z]{2}$/.test(country);
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  const edit = useChange({
    change: () =>
      admin.organization(organizationId).customers.edit(customer.externalId, {
        name: name.trim(),
        email: orNull(email),
        city: orNull(city),
        country: orNull(country),
      }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone() {
      onClose();
      tell("The customer is changed");
    },
  });
  return (
    <FormDialog
      title={`Edit ${customer.name}`}
      action="Save the changes"
      isReady={name.trim() !== "" && isCountry}
      change={edit}
      failure="The customer was not changed."
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <Field label="Name" name="name" value={name} onChange={setName} maxLength={200} autoFocus />
      <Field
        label="Email (optional)"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
      />
      <div className="pair">
        <Field label="City (optional)" name="city" value={city} onChange={setCity} maxLength={200} />
        <Field
          label="Country (optional)"
          name="country"
          value={country}
          onChange={(text) => setCountry(text.toUpperCase())}
          maxLength={2}
          error={isCountry ? undefined : "Two letters, as PT"}
        />
      </div>
    </FormDialog>
  );
}
