import type { AdminCustomer, AdminWallet } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

/** Changes what a wallet is held against, and below what it is low. */
export function LimitsDialog({
  customer,
  wallet,
  onClose,
}: {
  readonly customer: AdminCustomer;
  readonly wallet: AdminWallet;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { kind, credit_currency_key: currency, low_threshold } = wallet;
  const before = kind === "prepaid" ? wallet.overage_limit : wallet.postpaid_limit;
  const [limitText, setLimitText] = useState(formatCredits(before));
  const [lowText, setLowText] = useState(low_threshold === null ? "" : formatCredits(low_threshold));
  const limit = parseCredits(limitText);
  const low = lowText.trim() === "" ? null : parseCredits(lowText);
  const set = useChange({
    change: (after: number) =>
      admin.organization(organizationId).wallets.setLimits(customer.externalId, currency, {
        low_threshold: low ?? null,
        ...(kind === "prepaid" ? { overage_limit: after } : { postpaid_limit: after }),
      }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone() {
      onClose();
      tell(`Limits of ${currency} set`);
    },
  });
  return (
    <FormDialog
      title={`Limits of ${currency}`}
      action="Set the limits"
      isReady={limit !== undefined && low !== undefined}
      change={set}
      failure="The limits were not set."
      onSubmit={() => {
        if (limit !== undefined) set.mutate(limit);
      }}
      onClose={onClose}
    >
      <Field
        label={kind === "prepaid" ? "Overage line" : "Limit of a period"}
        name="limit"
        value={limitText}
        onChange={setLimitText}
        unit="credits"
        isNumber
        autoFocus
        error={limit === undefined ? "An amount from 0, with at most 6 decimals" : undefined}
        hint={
          kind === "prepaid"
            ? "What may be used beyond what was paid."
            : "0 is no limit: nothing is ever denied."
        }
      />
      <Field
        label="Low below"
        name="low"
        value={lowText}
        onChange={setLowText}
        unit="credits"
        isNumber
        error={low === undefined ? "An amount from 0, with at most 6 decimals" : undefined}
        hint="Webhooks tell when the wallet falls below it. Empty is the organization's own threshold."
      />
      <Effect>
        <p>
          {limit === undefined || limit === before
            ? "The limit stays as it is."
            : `The limit goes from ${formatCredits(before)} to ${formatCredits(limit)} credits at once. It can be set back.`}
        </p>
      </Effect>
    </FormDialog>
  );
}
