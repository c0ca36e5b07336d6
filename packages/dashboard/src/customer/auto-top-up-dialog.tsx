import { type AdminCustomer, type AdminWallet, type AutoTopUp, adminWallet } from "@creditgate/admin";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { customerQueries } from "../customers/queries.ts";
import { walletLabels } from "../customers/wallet.ts";
import {
  formatCredits,
  formatMinor,
  formatMoney,
  parseCount,
  parseCredits,
  parseMoney,
} from "../parts/amounts.ts";
import { amountAbove0, Field, isMoneyCode, moneyCodeError } from "../parts/field.tsx";
import { Effect, FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

const mostOrders = 1_000;

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
      notify(`Auto top-up of ${key} ${after === null ? "turned off" : "saved"}`),
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
      action={isOff && now !== null ? "Turn off auto top-up" : "Save auto top-up"}
      isReady={setting !== undefined && !(isOff && now === null) && edit.isChanged}
      form={edit}
      failure="The auto top-up was not saved."
    >
      <Field
        {...bind("below")}
        label="Top up below"
        unit="credits"
        isNumber
        autoFocus
        error={isOff || isAbove0(parseCredits(below)) ? undefined : amountAbove0}
        hint="Leave empty to turn auto top-up off."
      />
      <Field
        {...bind("credits")}
        label="Credits to add"
        unit="credits"
        isNumber
        error={credits === "" || isAbove0(parseCredits(credits)) ? undefined : amountAbove0}
      />
      <Field
        {...bind("price")}
        label="Price"
        unit={money}
        isNumber
        error={
          price === "" || isAbove0(parseMoney(price, money))
            ? undefined
            : "Enter an amount above 0, such as 49.00"
        }
      />
      <Field
        {...bind("currency")}
        label="Currency"
        maxLength={3}
        error={isMoneyCode(money) ? undefined : moneyCodeError}
      />
      <Field
        {...bind("most")}
        label="Maximum per billing period"
        unit="orders"
        isNumber
        error={
          parseCount(most, mostOrders) === undefined ? "Enter a whole number from 1 to 1,000" : undefined
        }
      />
      <Effect>
        <p>
          {setting === null && now === null
            ? "Auto top-up is off. To turn it on, enter a threshold, the credits to add and their price."
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
  const [amount, most] = [parseMoney(draft.price, currency), parseCount(draft.most, mostOrders)];
  if (!isAbove0(below) || !isAbove0(credits) || !isAbove0(amount) || most === undefined) return undefined;
  return isMoneyCode(currency)
    ? { below, credits, price: { amount, currency }, maxPerPeriod: most }
    : undefined;
}

function isAbove0(amount: number | undefined): amount is number {
  return amount !== undefined && amount > 0;
}

function words(setting: AutoTopUp | null | undefined): string {
  if (setting === undefined) return "Complete all fields to continue.";
  if (setting === null) return "No more orders are created. Open orders stay open.";
  const { below, credits, price, maxPerPeriod } = setting;
  return `When fewer than ${formatCredits(below)} credits are available, ${formatCredits(credits)} are ordered for ${formatMoney(price.amount, price.currency)}, at most ${maxPerPeriod} times per billing period. Each order issues an invoice; its credits become available when that is paid.`;
}
