import { type AdminCustomer, adminCustomer, customerLocale } from "@creditgate/admin";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { customerQueries } from "../customers/queries.ts";
import { CopyButton } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Name } from "../parts/name.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";

/** What is known of a customer. */
export function CustomerFacts({ customer }: { customer: AdminCustomer }) {
  const { externalId, email, addressLines, city, country, taxId, locale, createdAt, erasedAt } = customer;
  const place = [...addressLines, city, country].filter((part) => part !== null).join(", ");
  return (
    <div className="facts">
      <CopyButton text={externalId} />
      {email !== null && <span>{email}</span>}
      {place !== "" && (
        <span>
          <Name>{place}</Name>
        </span>
      )}
      {taxId !== null && <span>Tax ID {taxId}</span>}
      {locale !== null && <span>{locale}</span>}
      <span>
        Since <Day at={createdAt} />
      </span>
      {erasedAt !== null && (
        <span>
          Erased <Day at={erasedAt} />
        </span>
      )}
    </div>
  );
}

/** Changes what is known of a customer. */
export function EditDialog({ customer }: { customer: AdminCustomer }) {
  const organization = useOrganization();
  const edit = useEdit({
    record: customer,
    schema: adminCustomer,
    valuesOf: ({ name, email, city, country, addressLines, taxId, locale }) => ({
      name,
      email: email ?? "",
      city: city ?? "",
      country: country ?? "",
      addressLines: addressLines.join("\n"),
      taxId: taxId ?? "",
      locale: locale ?? "",
    }),
    labels,
    send: ({ name, addressLines, ...changed }, seen) =>
      organization.customers.edit(customer.externalId, {
        ...seen,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(addressLines === undefined ? {} : { addressLines: linesOf(addressLines) }),
        ...Object.fromEntries(Object.entries(changed).map(([field, text]) => [field, text.trim() || null])),
      }),
    untrue: customerQueries,
    onDone: () => notify("Customer updated"),
  });
  const { bind } = edit;
  const { name, country, locale } = edit.values;
  const isCountry = country === "" || /^[A-Z]{2}$/.test(country);
  const isLanguage = locale.trim() === "" || customerLocale.safeParse(locale.trim()).success;
  return (
    <FormDialog
      title={`Edit ${customer.name}`}
      action="Save changes"
      isReady={name.trim() !== "" && isCountry && isLanguage && edit.isChanged}
      form={edit}
      failure="The customer was not updated."
    >
      <Field {...bind("name")} label="Name" maxLength={200} autoFocus />
      <Field {...bind("email")} label="Email (optional)" type="email" maxLength={254} />
      <div className="pair">
        <Field {...bind("city")} label="City (optional)" maxLength={200} />
        <Field
          {...bind("country")}
          label="Country (optional)"
          onChange={(text) => edit.set({ country: text.toUpperCase() })}
          maxLength={2}
          error={isCountry ? undefined : "Enter a country code, such as PT"}
        />
      </div>
      <Field {...bind("addressLines")} label="Billing address (optional)" rows={3} maxLength={2_048} />
      <div className="pair">
        <Field {...bind("taxId")} label="Tax ID (optional)" maxLength={64} />
        <Field
          {...bind("locale")}
          label="Language (optional)"
          maxLength={35}
          error={isLanguage ? undefined : "Enter a language tag, such as pt-PT"}
        />
      </div>
    </FormDialog>
  );
}

const labels = {
  ...{ name: "Name", email: "Email", city: "City", country: "Country" },
  ...{ addressLines: "Address", taxId: "Tax ID", locale: "Language" },
};

/** One line for each that has text; `null` removes the address. */
function linesOf(text: string): readonly string[] | null {
  const lines = text.split("\n").map((line) => line.trim());
  const written = lines.filter((line) => line !== "");
  return written.length === 0 ? null : written;
}
