import { type AdminCurrency, adminCurrency } from "@creditgate/admin";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { formatUnitPrice, parseUnitPrice } from "../parts/amounts.ts";
import { Effect } from "../parts/effect.tsx";
import { Choice, Field, isMoneyCode, MoneyCodeField } from "../parts/field.tsx";
import { type DialogOf, FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";

/** Sets what a credit costs in money, for the invoices of postpaid wallets. */
export function CreditPriceDialog({
  currencies,
  onClose,
}: DialogOf<{
  /** At least one. */
  currencies: readonly AdminCurrency[];
}>) {
  const organizationId = useOrganizationId();
  const named = (name: string) => currencies.find((one) => one.credit_currency_key === name);
  const edit = useEdit<AdminCurrency | undefined, Values, unknown>({
    record: currencies[0],
    schema: adminCurrency,
    valuesOf: (currency) => ({ text: "", money: currency?.unitPrice?.currency ?? "EUR" }),
    labels: { unitPrice: "One credit costs", name: "Name" },
    async send(_, seen) {
      if (amount === undefined) return;
      const unitPrice = { amount, currency: money };
      await admin
        .organization(organizationId)
        .currencies.set({ ...seen, credit_currency_key: key, unitPrice });
    },
    untrue: [["currencies", organizationId]],
    onDone: (): void => tell(`A credit of ${key} costs ${text.trim()} ${money}`),
    onClose,
  });
  const { credit_currency_key: key = "", unitPrice: price = null } = edit.record ?? {};
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
          value: one.credit_currency_key,
          label: one.credit_currency_key,
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
