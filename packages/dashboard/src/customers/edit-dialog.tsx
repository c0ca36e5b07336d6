import { type AdminCustomer, adminCustomer } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
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
  const edit = useEdit({
    record: customer,
    schema: adminCustomer,
    valuesOf: ({ name, email, city, country }) => ({
      name,
      email: email ?? "",
      city: city ?? "",
      country: country ?? "",
    }),
    labels,
    send: ({ name, ...changed }, seen) =>
      admin.organization(organizationId).customers.edit(customer.externalId, {
        ...seen,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...Object.fromEntries(Object.entries(changed).map(([field, text]) => [field, text.trim() || null])),
      }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone() {
      onClose();
      tell("The customer is changed");
    },
  });
  const { name, email, city, country } = edit.values;
  const isCountry = country === "" || /^[A-Z]{2}$/.test(country);
  return (
    <FormDialog
      title={`Edit ${customer.name}`}
      action="Save the changes"
      isReady={name.trim() !== "" && isCountry && edit.isChanged}
      change={edit}
      failure="The customer was not changed."
      onSubmit={edit.save}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={(text) => edit.set({ name: text })}
        maxLength={200}
        autoFocus
      />
      <Field
        label="Email (optional)"
        name="email"
        type="email"
        value={email}
        onChange={(text) => edit.set({ email: text })}
        maxLength={254}
      />
      <div className="pair">
        <Field
          label="City (optional)"
          name="city"
          value={city}
          onChange={(text) => edit.set({ city: text })}
          maxLength={200}
        />
        <Field
          label="Country (optional)"
          name="country"
          value={country}
          onChange={(text) => edit.set({ country: text.toUpperCase() })}
          maxLength={2}
          error={isCountry ? undefined : "Two letters, as PT"}
        />
      </div>
    </FormDialog>
  );
}

const labels = { name: "Name", email: "Email", city: "City", country: "Country" };
