import type { AdminCustomer } from "@creditgate/admin";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

/** Removes personal data. The person types the ID, so that it is not the wrong customer. */
export function EraseDialog({ customer, onClose }: DialogOf<{ customer: AdminCustomer }>) {
  const organizationId = useOrganizationId();
  const { externalId, name } = customer;
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      title={`Erase the personal data of ${name}`}
      action="Erase the personal data"
      isDanger
      isReady={typed.trim() === externalId}
      failure="The personal data is not erased."
      send={() => admin.organization(organizationId).customers.erase(externalId)}
      untrue={customerKeys(organizationId, externalId)}
      onDone={() => tell("The personal data is erased", "The books stay.")}
      onClose={onClose}
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
