import type { AdminCustomer, AdminWalletKind } from "@creditgate/admin";
import { useDraft } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { currenciesQuery, customerQueries } from "../customers/queries.ts";
import { walletLabels } from "../customers/wallet.ts";
import { formatCredits, parseCredits } from "../parts/amounts.ts";
import { amountFrom0, Choice, Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

const kinds = [
  { value: "prepaid", label: "Prepaid: paid for in advance" },
  { value: "postpaid", label: "Postpaid: invoiced at the end of a period" },
] as const;

/** Opens an empty wallet for a customer, and creates its currency if the organization does not have it. */
export function WalletDialog({ customer }: { customer: AdminCustomer }) {
  const organization = useOrganization();
  const { data: currencies = [] } = useAnswer(currenciesQuery);
  const { values, bind } = useDraft({
    currency: "ai_credits",
    kind: "prepaid" as AdminWalletKind,
    limit: "",
  });
  const { kind } = values;
  const isPrepaid = kind === "prepaid";
  const creditCurrencyKey = values.currency.trim();
  const hasNoLimit = values.limit.trim() === "";
  const limit = hasNoLimit ? undefined : parseCredits(values.limit);
  const isIn = (one: { readonly creditCurrencyKey: string }) => one.creditCurrencyKey === creditCurrencyKey;
  const isThere = customer.wallets.some(isIn);
  return (
    <ActionDialog
      title={`New wallet for ${customer.name}`}
      action="Open the wallet"
      isReady={creditCurrencyKey !== "" && !isThere && (limit !== undefined || (hasNoLimit && isPrepaid))}
      failure="The wallet was not opened."
      send={async () => {
        if (!currencies.some(isIn)) await organization.currencies.set({ creditCurrencyKey });
        return organization.wallets.create(
          customer.externalId,
          kind === "prepaid"
            ? { kind, creditCurrencyKey, overageLimit: limit ?? 0 }
            : { kind, creditCurrencyKey, postpaidLimit: limit ?? 0 },
        );
      }}
      untrue={[...customerQueries, "currencies"]}
      onDone={() =>
        notify(`Wallet ${creditCurrencyKey} opened`, isPrepaid ? "It is empty: top it up." : undefined)
      }
    >
      <Field
        {...bind("currency")}
        label="Currency"
        isCode
        autoFocus
        maxLength={200}
        error={isThere ? "The customer has a wallet in this currency" : undefined}
        hint={
          currencies.length === 0
            ? "What its credits are called, as ai_credits."
            : `There are ${currencies.map((one) => one.creditCurrencyKey).join(", ")}. Another name makes another currency.`
        }
      />
      <Choice {...bind("kind")} label="Kind" options={kinds} />
      <Field
        {...bind("limit")}
        label={isPrepaid ? walletLabels.overageLimit : walletLabels.postpaidLimit}
        unit="credits"
        isNumber
        error={hasNoLimit || limit !== undefined ? undefined : amountFrom0}
        hint={
          isPrepaid
            ? "What may be used beyond what was paid. Empty is none."
            : limit === 0
              ? "0 is no limit: nothing is ever denied."
              : "Requests beyond it are denied. 0 is no limit at all, and must be said."
        }
      />
      {limit !== undefined && limit > 0 && !isPrepaid && (
        <p className="small quiet">The customer can use {formatCredits(limit)} credits in a period.</p>
      )}
    </ActionDialog>
  );
}
