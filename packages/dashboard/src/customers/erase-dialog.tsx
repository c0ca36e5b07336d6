import type { AdminCustomer } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

/** Removes what is personal. The ID is typed, so that it is not the wrong customer. */
export function EraseDialog({
  customer,
  onClose,
}: {
  readonly customer: AdminCustomer;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { externalId, name } = customer;
  const [typed, setTyped] = useState("");
  const erase = useChange({
    change: () => admin.organization(organizationId).customers.erase(externalId),
    untrue: customerKeys(organizationId, externalId),
    onDone() {
      onClose();
      tell("The personal data is erased", "The books stay.");
    },
  });
  return (
    <FormDialog
      title={`Erase the personal data of ${name}`}
      action="Erase the personal data"
      isDanger
      isReady={typed.trim() === externalId}
      change={erase}
      failure="The personal data is not erased."
      onSubmit={() => erase.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>Name, email, city and country are removed. An auto top-up ends.</p>
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
    </FormDialog>
  );
}
