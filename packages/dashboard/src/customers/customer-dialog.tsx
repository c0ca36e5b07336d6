import { useNavigate } from "@tanstack/react-router";
import { useOrganization, useOrganizationId } from "../api/account.ts";
import { useDraft } from "../api/edit.ts";
import { textOf } from "../parts/address.ts";
import { Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";

/** Creates a customer, and opens its page. */
export function CustomerDialog() {
  const organizationId = useOrganizationId();
  const organization = useOrganization();
  const navigate = useNavigate();
  const { values, bind } = useDraft({ name: "", externalId: "", email: "" });
  const [name, externalId] = [values.name.trim(), values.externalId.trim()];
  return (
    <ActionDialog
      title="New customer"
      action="Create the customer"
      isReady={name !== "" && externalId !== ""}
      failure="The customer was not created."
      send={() =>
        organization.customers.create({ externalId, name, ...textOf("email", values.email.trim()) })
      }
      untrue={["customers"]}
      onDone={(customer) =>
        navigate({
          to: "/organizations/$organizationId/customers/$customerId",
          params: { organizationId, customerId: customer.externalId },
        })
      }
    >
      <Field {...bind("name")} label="Name" maxLength={200} autoFocus />
      <Field
        {...bind("externalId")}
        label="ID"
        isCode
        maxLength={200}
        hint="By which your application names this customer. It cannot be changed."
      />
      <Field {...bind("email")} label="Email (optional)" type="email" maxLength={254} />
    </ActionDialog>
  );
}
