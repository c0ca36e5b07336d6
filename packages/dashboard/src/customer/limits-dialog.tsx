import {
  type AdminCustomer,
  type AdminWallet,
  adminWallet,
  type WalletLimitsRequest,
} from "@creditgate/admin";
import { useOrganization } from "../api/account.ts";
import { useEdit } from "../api/edit.ts";
import { customerQueries } from "../customers/queries.ts";
import { walletLabels } from "../customers/wallet.ts";
import { formatCredits, parseCredits, parseOptionalCredits } from "../parts/amounts.ts";
import { Effect } from "../parts/effect.tsx";
import { amountFrom0, Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

/** Changes the limit of a wallet, and below which balance it is low. */
export function LimitsDialog({ customer, wallet }: { customer: AdminCustomer; wallet: AdminWallet }) {
  const organization = useOrganization();
  const { kind, creditCurrencyKey: currency } = wallet;
  const isPrepaid = kind === "prepaid";
  const edit = useEdit({
    record: wallet,
    schema: adminWallet,
    valuesOf: (one) => ({
      limit: formatCredits(limitOf(one)),
      low: one.lowThreshold === null ? "" : formatCredits(one.lowThreshold),
    }),
    labels: walletLabels,
    send: (changed, seen) =>
      organization.wallets.setLimits(customer.externalId, currency, {
        ...seen,
        ...(changed.low === undefined ? {} : { lowThreshold: parseOptionalCredits(changed.low) }),
        ...(changed.limit === undefined ? {} : limitsOf(kind, parseCredits(changed.limit))),
      }),
    untrue: customerQueries,
    onDone: () => notify(`Limits of ${currency} set`),
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
        label={isPrepaid ? walletLabels.overageLimit : walletLabels.postpaidLimit}
        unit="credits"
        isNumber
        autoFocus
        error={limit === undefined ? amountFrom0 : undefined}
        hint={isPrepaid ? "What may be used beyond what was paid." : "0 is no limit: nothing is ever denied."}
      />
      <Field
        {...edit.bind("low")}
        label={walletLabels.lowThreshold}
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
  return kind === "prepaid" ? { overageLimit: limit } : { postpaidLimit: limit };
}

function limitOf(wallet: AdminWallet): number {
  return wallet.kind === "prepaid" ? wallet.overageLimit : wallet.postpaidLimit;
}
