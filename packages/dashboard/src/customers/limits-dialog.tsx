import {
  type AdminCustomer,
  type AdminWallet,
  adminWallet,
  type WalletLimitsRequest,
} from "@creditgate/admin";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { formatCredits, parseCredits, parseOptionalCredits } from "../parts/amounts.ts";
import { Effect } from "../parts/effect.tsx";
import { amountFrom0, Field } from "../parts/field.tsx";
import { type DialogOf, FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";
import { walletLabels } from "./wallet.ts";

/** Changes the limit of a wallet, and below which balance it is low. */
export function LimitsDialog({
  customer,
  wallet,
  onClose,
}: DialogOf<{ customer: AdminCustomer; wallet: AdminWallet }>) {
  const organizationId = useOrganizationId();
  const { kind, credit_currency_key: currency } = wallet;
  const isPrepaid = kind === "prepaid";
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
        ...(changed.low === undefined ? {} : { low_threshold: parseOptionalCredits(changed.low) }),
        ...(changed.limit === undefined ? {} : limitsOf(kind, parseCredits(changed.limit))),
      }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone: () => tell(`Limits of ${currency} set`),
    onClose,
  });
  const before = limitOf(edit.record);
  const limit = parseCredits(edit.values.limit);
  const low = parseOptionalCredits(edit.values.low);
  return (
    <FormDialog
      title={`Limits of ${currency}`}
      action="Set the limits"
      isReady={limit !== undefined && low !== undefined && edit.isChanged}
      form={edit}
      failure="The limits were not set."
    >
      <Field
        {...edit.bind("limit")}
        label={isPrepaid ? walletLabels.overage_limit : walletLabels.postpaid_limit}
        unit="credits"
        isNumber
        autoFocus
        error={limit === undefined ? amountFrom0 : undefined}
        hint={isPrepaid ? "What may be used beyond what was paid." : "0 is no limit: nothing is ever denied."}
      />
      <Field
        {...edit.bind("low")}
        label={walletLabels.low_threshold}
        unit="credits"
        isNumber
        error={low === undefined ? amountFrom0 : undefined}
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
