import type { AdminCustomer, AdminWalletKind } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { formatCredits, parseCredits } from "../parts/amounts.ts";
import { amountFrom0, Choice, Field } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { currenciesQuery, customerKeys } from "./queries.ts";
import { walletLabels } from "./wallet.ts";

const kinds = [
  { value: "prepaid", label: "Prepaid: paid for in advance" },
  { value: "postpaid", label: "Postpaid: invoiced at the end of a period" },
] as const;

/** Opens an empty wallet for a customer, and creates its currency if the organization does not have it. */
export function WalletDialog({ customer, onClose }: DialogOf<{ customer: AdminCustomer }>) {
  const organizationId = useOrganizationId();
  const organization = admin.organization(organizationId);
  const { data: currencies = [] } = useQuery(currenciesQuery(organizationId));
  const { values, bind } = useDraft({
    currency: "ai_credits",
    kind: "prepaid" as AdminWalletKind,
    limit: "",
  });
  const { kind } = values;
  const isPrepaid = kind === "prepaid";
  const credit_currency_key = values.currency.trim();
  const hasNoLimit = values.limit.trim() === "";
  const limit = hasNoLimit ? undefined : parseCredits(values.limit);
  const isIn = (one: { readonly credit_currency_key: string }) =>
    one.credit_currency_key === credit_currency_key;
  const isThere = customer.wallets.some(isIn);
  return (
    <ActionDialog
      title={`New wallet for ${customer.name}`}
      action="Open the wallet"
      isReady={credit_currency_key !== "" && !isThere && (limit !== undefined || (hasNoLimit && isPrepaid))}
      failure="The wallet was not opened."
      send={async () => {
        if (!currencies.some(isIn)) await organization.currencies.set({ credit_currency_key });
        return organization.wallets.create(
          customer.externalId,
          kind === "prepaid"
            ? { kind, credit_currency_key, overage_limit: limit ?? 0 }
            : { kind, credit_currency_key, postpaid_limit: limit ?? 0 },
        );
      }}
      untrue={[...customerKeys(organizationId, customer.externalId), ["currencies", organizationId]]}
      onDone={() =>
        tell(`Wallet ${credit_currency_key} opened`, isPrepaid ? "It is empty: top it up." : undefined)
      }
      onClose={onClose}
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
            : `There are ${currencies.map((one) => one.credit_currency_key).join(", ")}. Another name makes another currency.`
        }
      />
      <Choice {...bind("kind")} label="Kind" options={kinds} />
      <Field
        {...bind("limit")}
        label={isPrepaid ? walletLabels.overage_limit : walletLabels.postpaid_limit}
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
