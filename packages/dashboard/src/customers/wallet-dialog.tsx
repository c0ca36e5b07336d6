import type { AdminCustomer, AdminWalletKind } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { currenciesQuery, customerKeys } from "./queries.ts";

const kinds = [
  { value: "prepaid", label: "Prepaid: paid for in advance" },
  { value: "postpaid", label: "Postpaid: invoiced at the end of a period" },
] as const;

/** Opens an empty wallet for a customer, and makes its currency if the organisation does not have it. */
export function WalletDialog({
  customer,
  onClose,
}: {
  readonly customer: AdminCustomer;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const organization = admin.organization(organizationId);
  const { data: currencies = [] } = useQuery(currenciesQuery(organizationId));
  const [currency, setCurrency] = useState("ai_credits");
  const [kind, setKind] = useState<AdminWalletKind>("prepaid");
  const [limitText, setLimitText] = useState("");
  const limit = limitText.trim() === "" ? undefined : parseCredits(limitText);
  const isNew = !currencies.some(({ credit_currency_key }) => credit_currency_key === currency.trim());
  const isThere = customer.wallets.some(({ credit_currency_key }) => credit_currency_key === currency.trim());
  const isLimitFine = limit !== undefined || (limitText.trim() === "" && kind === "prepaid");
  const create = useChange({
    async change() {
      const credit_currency_key = currency.trim();
      if (isNew) await organization.currencies.set({ credit_currency_key });
      return organization.wallets.create(
        customer.externalId,
        kind === "prepaid"
          ? { kind, credit_currency_key, overage_limit: limit ?? 0 }
          : { kind, credit_currency_key, postpaid_limit: limit ?? 0 },
      );
    },
    untrue: [...customerKeys(organizationId, customer.externalId), ["currencies", organizationId]],
    onDone() {
      onClose();
      tell(`Wallet ${currency.trim()} opened`, kind === "prepaid" ? "It is empty: top it up." : undefined);
    },
  });
  return (
    <FormDialog
      title={`New wallet for ${customer.name}`}
      action="Open the wallet"
      isReady={currency.trim() !== "" && !isThere && isLimitFine}
      change={create}
      failure="The wallet was not opened."
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Currency"
        name="currency"
        value={currency}
        onChange={setCurrency}
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
      <Choice label="Kind" value={kind} options={kinds} onChange={setKind} />
      <Field
        label={kind === "prepaid" ? "Overage line" : "Limit of a period"}
        name="limit"
        value={limitText}
        onChange={setLimitText}
        unit="credits"
        isNumber
        error={
          limitText.trim() === "" || limit !== undefined
            ? undefined
            : "An amount from 0, with at most 6 decimals"
        }
        hint={
          kind === "prepaid"
            ? "What may be used beyond what was paid. Empty is none."
            : limit === 0
              ? "0 is no limit: nothing is ever denied."
              : "Requests beyond it are denied. 0 is no limit at all, and must be said."
        }
      />
      {limit !== undefined && limit > 0 && kind === "postpaid" && (
        <p className="small quiet">The customer can use {formatCredits(limit)} credits in a period.</p>
      )}
    </FormDialog>
  );
}
