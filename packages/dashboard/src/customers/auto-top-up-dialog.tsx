import type { AdminCustomer, AdminWallet, AutoTopUp } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { formatMinor, formatMoney, parseMoney } from "../parts/money.ts";
import { isMoneyCode } from "../parts/money-code-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

/** Orders credits by itself when a wallet falls below a balance; without a balance, nothing is ordered. */
export function AutoTopUpDialog({
  customer,
  wallet,
  onClose,
}: {
  readonly customer: AdminCustomer;
  readonly wallet: AdminWallet;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { credit_currency_key: key } = wallet;
  const now = wallet.auto_top_up ?? null;
  const [below, setBelow] = useState(now ? formatCredits(now.below) : "");
  const [credits, setCredits] = useState(now ? formatCredits(now.credits) : "");
  const [currency, setCurrency] = useState(now?.price.currency ?? "EUR");
  const [price, setPrice] = useState(now ? formatMinor(now.price.amount, now.price.currency) : "");
  const [most, setMost] = useState(String(now?.max_per_period ?? 3));
  const draft = { below, credits, currency: currency.trim().toUpperCase(), price, most };
  const isOff = below.trim() === "";
  const setting = isOff ? null : settingOf(draft);
  const set = useChange({
    change: (auto_top_up: AutoTopUp | null) =>
      admin.organization(organizationId).wallets.setLimits(customer.externalId, key, { auto_top_up }),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone(_, after) {
      onClose();
      tell(after === null ? `Auto top-up of ${key} ended` : `Auto top-up of ${key} set`);
    },
  });
  return (
    <FormDialog
      title={`Auto top-up of ${key}`}
      action={isOff && now !== null ? "End the auto top-up" : "Set the auto top-up"}
      isReady={setting !== undefined && !(isOff && now === null)}
      change={set}
      failure="The auto top-up was not set."
      onSubmit={() => {
        if (setting !== undefined) set.mutate(setting);
      }}
      onClose={onClose}
    >
      <Field
        label="When below"
        name="below"
        value={below}
        onChange={setBelow}
        unit="credits"
        isNumber
        autoFocus
        error={isOff || isAbove0(parseCredits(below)) ? undefined : anAmount}
        hint="Empty orders nothing."
      />
      <Field
        label="Order"
        name="credits"
        value={credits}
        onChange={setCredits}
        unit="credits"
        isNumber
        error={credits === "" || isAbove0(parseCredits(credits)) ? undefined : anAmount}
      />
      <Field
        label="For"
        name="price"
        value={price}
        onChange={setPrice}
        unit={draft.currency}
        isNumber
        error={
          price === "" || isAbove0(parseMoney(price, draft.currency))
            ? undefined
            : "An amount above 0, as 49.00"
        }
      />
      <Field
        label="Currency of the price"
        name="currency"
        value={currency}
        onChange={setCurrency}
        maxLength={3}
        error={isMoneyCode(draft.currency) ? undefined : "Three letters, as EUR"}
      />
      <Field
        label="In a billing period at most"
        name="most"
        value={most}
        onChange={setMost}
        unit="orders"
        isNumber
        error={mostOf(most) === undefined ? "A whole number from 1 to 1000" : undefined}
      />
      <Effect>
        <p>
          {setting === null && now === null
            ? "This wallet orders nothing by itself. Say below how many credits it is to order, how many, and for what price."
            : words(setting)}
        </p>
      </Effect>
    </FormDialog>
  );
}

const anAmount = "An amount above 0, with at most 6 decimals";

interface Draft {
  readonly below: string;
  readonly credits: string;
  readonly currency: string;
  readonly price: string;
  readonly most: string;
}

/** `undefined` while a part of it is missing or wrong. */
function settingOf({ currency, ...draft }: Draft): AutoTopUp | undefined {
  const [below, credits] = [parseCredits(draft.below), parseCredits(draft.credits)];
  const [amount, most] = [parseMoney(draft.price, currency), mostOf(draft.most)];
  if (!isAbove0(below) || !isAbove0(credits) || !isAbove0(amount) || most === undefined) return undefined;
  return isMoneyCode(currency)
    ? { below, credits, price: { amount, currency }, max_per_period: most }
    : undefined;
}

function mostOf(text: string): number | undefined {
  const number = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= 1_000 ? number : undefined;
}

function isAbove0(amount: number | undefined): amount is number {
  return amount !== undefined && amount > 0;
}

function words(setting: AutoTopUp | null | undefined): string {
  if (setting === undefined) return "Nothing changes until all is filled in.";
  if (setting === null) return "Nothing is ordered any more. An order that is open stays so.";
  const { below, credits, price, max_per_period } = setting;
  return `Whenever fewer than ${formatCredits(below)} credits are available, ${formatCredits(credits)} are ordered for ${formatMoney(price.amount, price.currency)}, ${max_per_period} times in a billing period at most. Each order has an invoice, and its credits come when that is paid.`;
}
