import { type AdminCustomer, type AdminWallet, type AutoTopUp, adminWallet } from "@creditgate/admin";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { customerQueries } from "../customers/queries.ts";
import { walletLabels } from "../customers/wallet.ts";
import { formatCredits, formatMinor, formatMoney, parseCredits, parseMoney } from "../parts/amounts.ts";
import { amountAbove0, Field, isMoneyCode, moneyCodeError } from "../parts/field.tsx";
import { Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

/** Orders credits by itself when a wallet falls below a balance; without a balance, nothing is ordered. */
export function AutoTopUpDialog({ customer, wallet }: { customer: AdminCustomer; wallet: AdminWallet }) {
  const organization = useOrganization();
  const { creditCurrencyKey: key } = wallet;
  const edit = useEdit({
    record: wallet,
    schema: adminWallet,
    valuesOf: ({ autoTopUp: now }) => ({
      below: now ? formatCredits(now.below) : "",
      credits: now ? formatCredits(now.credits) : "",
      currency: now?.price.currency ?? "EUR",
      price: now ? formatMinor(now.price.amount, now.price.currency) : "",
      most: String(now?.maxPerPeriod ?? 3),
    }),
    labels: walletLabels,
    send: (_, seen, values) =>
      organization.wallets.setLimits(customer.externalId, key, { ...seen, autoTopUp: settingOf(values) }),
    untrue: customerQueries,
    onDone: ({ autoTopUp: after = null }) =>
      notify(`Auto top-up of ${key} ${after === null ? "ended" : "set"}`),
  });
  const { bind } = edit;
  const now = edit.record.autoTopUp ?? null;
  const { below, credits, price, most } = edit.values;
  const money = moneyOf(edit.values);
  const isOff = below.trim() === "";
  const setting = settingOf(edit.values);
  return (
    <FormDialog
      title={`Auto top-up of ${key}`}
      action={isOff && now !== null ? "End the auto top-up" : "Set the auto top-up"}
      isReady={setting !== undefined && !(isOff && now === null) && edit.isChanged}
      form={edit}
      failure="The auto top-up was not set."
    >
      <Field
        {...bind("below")}
        label="When below"
        unit="credits"
        isNumber
        autoFocus
        error={isOff || isAbove0(parseCredits(below)) ? undefined : amountAbove0}
        hint="Empty orders nothing."
      />
      <Field
        {...bind("credits")}
        label="Order"
        unit="credits"
        isNumber
        error={credits === "" || isAbove0(parseCredits(credits)) ? undefined : amountAbove0}
      />
      <Field
        {...bind("price")}
        label="For"
        unit={money}
        isNumber
        error={price === "" || isAbove0(parseMoney(price, money)) ? undefined : "An amount above 0, as 49.00"}
      />
      <Field
        {...bind("currency")}
        label="Currency of the price"
        maxLength={3}
        error={isMoneyCode(money) ? undefined : moneyCodeError}
      />
      <Field
        {...bind("most")}
        label="In a billing period at most"
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

type Draft = Readonly<Record<"below" | "credits" | "currency" | "price" | "most", string>>;

function moneyOf({ currency }: Draft): string {
  return currency.trim().toUpperCase();
}

/** `null` orders nothing; `undefined` while a part of it is missing or wrong. */
function settingOf(draft: Draft): AutoTopUp | null | undefined {
  if (draft.below.trim() === "") return null;
  const currency = moneyOf(draft);
  const [below, credits] = [parseCredits(draft.below), parseCredits(draft.credits)];
  const [amount, most] = [parseMoney(draft.price, currency), mostOf(draft.most)];
  if (!isAbove0(below) || !isAbove0(credits) || !isAbove0(amount) || most === undefined) return undefined;
  return isMoneyCode(currency)
    ? { below, credits, price: { amount, currency }, maxPerPeriod: most }
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
  const { below, credits, price, maxPerPeriod } = setting;
  return `Whenever fewer than ${formatCredits(below)} credits are available, ${formatCredits(credits)} are ordered for ${formatMoney(price.amount, price.currency)}, ${maxPerPeriod} times in a billing period at most. Each order has an invoice, and its credits come when that is paid.`;
}
