import { type AdminCurrency, adminCurrency } from "@creditgate/admin";
import { useOrganization } from "../api/account.ts";
import { useEdit } from "../api/edit.ts";
import { formatUnitPrice, parseUnitPrice } from "../parts/amounts.ts";
import { Effect } from "../parts/effect.tsx";
import { Choice, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

/** Sets what a credit costs in money, for the invoices of postpaid wallets. */
export function CreditPriceDialog({
  currencies,
}: {
  /** At least one. */
  currencies: readonly AdminCurrency[];
}) {
  const organization = useOrganization();
  const named = (name: string) => currencies.find((one) => one.creditCurrencyKey === name);
  const edit = useEdit<AdminCurrency | undefined, Values, unknown>({
    record: currencies[0],
    schema: adminCurrency,
    valuesOf: (currency) => ({ text: "", money: currency?.unitPrice?.currency ?? "EUR" }),
    labels: { unitPrice: "One credit costs", name: "Name" },
    async send(_, seen) {
      if (amount === undefined) return;
      const unitPrice = { amount, currency: money };
      await organization.currencies.set({ ...seen, creditCurrencyKey: key, unitPrice });
    },
    untrue: ["currencies"],
    onDone: (): void => notify(`A credit of ${key} costs ${text.trim()} ${money}`),
  });
  const { creditCurrencyKey: key = "", unitPrice: price = null } = edit.record ?? {};
  const { text, money } = edit.values;
  const isMoney = isMoneyCode(money);
  const amount = isMoney ? parseUnitPrice(text, money) : undefined;
  return (
    <FormDialog
      title="Price of a credit"
      action={amount === undefined ? "Set the price" : `Set ${text.trim()} ${money} a credit`}
      isReady={amount !== undefined}
      form={edit}
      failure="The price was not set."
    >
      <Choice
        label="Credits"
        value={key}
        options={currencies.map((one) => ({
          value: one.creditCurrencyKey,
          label: one.creditCurrencyKey,
        }))}
        onChange={(name) => edit.begin(named(name))}
        hint={
          price === null
            ? "Has no price in money."
            : `Costs ${formatUnitPrice(price.amount, price.currency)} ${price.currency} a credit.`
        }
      />
      <div className="pair">
        <Field
          {...edit.bind("text")}
          label="One credit costs"
          isNumber
          autoFocus
          error={
            text === "" || !isMoney || amount !== undefined
              ? undefined
              : "An amount from 0, as 0.25 or 0.0025"
          }
        />
        <MoneyCodeField {...edit.bind("money")} />
      </div>
      <Effect>
        <p>
          Invoices of postpaid wallets charge it for what is used from now on
          {price === null ? ", and for what was used before and has not been invoiced" : ""}. Prepaid wallets
          do not change: what their credits cost is in each order.
        </p>
      </Effect>
    </FormDialog>
  );
}

interface Values {
  readonly text: string;
  readonly money: string;
}
