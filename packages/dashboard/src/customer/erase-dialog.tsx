import type { AdminCustomer } from "@creditgate/admin";
import { useState } from "react";
import { useOrganization } from "../api/account.ts";
import { customerQueries } from "../customers/queries.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

/** Removes personal data. The person types the ID, so that it is not the wrong customer. */
export function EraseDialog({ customer }: { customer: AdminCustomer }) {
  const organization = useOrganization();
  const { externalId, name } = customer;
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      title={`Erase the personal data of ${name}`}
      action="Erase the personal data"
      isDanger
      isReady={typed.trim() === externalId}
      failure="The personal data is not erased."
      send={() => organization.customers.erase(externalId)}
      untrue={customerQueries}
      onDone={() => notify("The personal data is erased", "The books stay.")}
    >
      <Effect>
        <p>The name, and all contact and billing details, are removed. An auto top-up ends.</p>
        <p>
          The books stay: the ID <span className="mono">{externalId}</span>, wallets, usage, ledger, orders
          and invoices. So does what your application put into its reports of usage.
        </p>
        <p className="quiet">It cannot be undone.</p>
      </Effect>
      <Field
        label="Type the ID of the customer"
        name="typed-id"
        value={typed}
        onChange={setTyped}
        isCode
        autoFocus
        hint={externalId}
      />
    </ActionDialog>
  );
}
