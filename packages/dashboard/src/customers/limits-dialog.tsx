import {
  type AdminCustomer,
  type AdminWallet,
  adminWallet,
  type WalletLimitsRequest,
} from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";
import { walletLabels } from "./wallet.ts";

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
  const { kind, credit_currency_key: currency } = wallet;
  const edit = useEdit({
    record: wallet,
    schema: adminWallet,
    valuesOf: (one) => ({
      limit: formatCredits(limitOf(one)),
      low: one.low_threshold === null ? "" : formatCredits(one.low_threshold),
    }),
    labels: walletLabels,
    send: (changed, seen) =>
      admin.organization(organizationId).wallets.setLimits(customer.externalId, currency, {
        ...seen,
        ...(changed.low === undefined ? {} : { low_threshold: lowOf(changed.low) }),
        ...(changed.limit === undefined ? {} : limitsOf(kind, parseCredits(changed.limit))),
      }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone() {
      onClose();
      tell(`Limits of ${currency} set`);
    },
  });
  const before = limitOf(edit.record);
  const limit = parseCredits(edit.values.limit);
  const low = lowOf(edit.values.low);
  return (
    <FormDialog
      title={`Limits of ${currency}`}
      action="Set the limits"
      isReady={limit !== undefined && low !== undefined && edit.isChanged}
      change={edit}
      failure="The limits were not set."
      onSubmit={edit.save}
      onClose={onClose}
    >
      <Field
        label={kind === "prepaid" ? walletLabels.overage_limit : walletLabels.postpaid_limit}
        name="limit"
        value={edit.values.limit}
        onChange={(text) => edit.set({ limit: text })}
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
        label={walletLabels.low_threshold}
        name="low"
        value={edit.values.low}
        onChange={(text) => edit.set({ low: text })}
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

function limitsOf(kind: AdminWallet["kind"], limit: number | undefined): WalletLimitsRequest {
  return kind === "prepaid" ? { overage_limit: limit } : { postpaid_limit: limit };
}

function limitOf(wallet: AdminWallet): number {
  return wallet.kind === "prepaid" ? wallet.overage_limit : wallet.postpaid_limit;
}

/** Empty is no threshold; `undefined` while it is no amount. */
function lowOf(text: string): number | null | undefined {
  return text.trim() === "" ? null : parseCredits(text);
}
