import type { AdminCustomer, AdminWalletKind } from "@creditgate/admin";
import { useDraft } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { currenciesQuery, customerQueries } from "../customers/queries.ts";
import { walletKinds, walletLabels } from "../customers/wallet.ts";
import { formatCredits, parseCredits } from "../parts/amounts.ts";
import { amountFrom0, Choice, Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

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
      action="Create wallet"
      isReady={creditCurrencyKey !== "" && !isThere && (limit !== undefined || (hasNoLimit && isPrepaid))}
      failure="The wallet was not created."
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
        notify(`Wallet ${creditCurrencyKey} created`, isPrepaid ? "It is empty. Top it up next." : undefined)
      }
    >
      <Field
        {...bind("currency")}
        label="Currency"
        isCode
        autoFocus
        maxLength={200}
        error={isThere ? "This customer already has a wallet in this currency" : undefined}
        hint={
          currencies.length === 0
            ? "The key of its credits, such as ai_credits."
            : `Existing: ${currencies.map((one) => one.creditCurrencyKey).join(", ")}. A new key creates a new currency.`
        }
      />
      <Choice {...bind("kind")} label="Kind" options={walletKinds} />
      <Field
        {...bind("limit")}
        label={isPrepaid ? walletLabels.overageLimit : walletLabels.postpaidLimit}
        unit="credits"
        isNumber
        error={hasNoLimit || limit !== undefined ? undefined : amountFrom0}
        hint={
          isPrepaid
            ? "Credits that may be used beyond the balance. Leave empty for none."
            : limit === 0
              ? "0 means no limit: requests are never denied."
              : "Requests beyond it are denied. Enter 0 for no limit."
        }
      />
      {limit !== undefined && limit > 0 && !isPrepaid && (
        <p className="small quiet">The customer can use {formatCredits(limit)} credits per period.</p>
      )}
    </ActionDialog>
  );
}
