import { type AdminCurrency, adminCurrency } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { isMoneyCode, MoneyCodeField } from "../parts/money-code-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { formatUnitPrice, parseUnitPrice } from "./unit-price.ts";

/** Sets what a credit costs in money, for the invoices of postpaid wallets. */
export function CreditPriceDialog({
  currencies,
  initial,
  onClose,
}: {
  /** At least one. */
  readonly currencies: readonly AdminCurrency[];
  /** The one to begin with. */
  readonly initial?: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const named = (name: string | undefined) => currencies.find((one) => one.credit_currency_key === name);
  const edit = useEdit<AdminCurrency | undefined, Values, unknown>({
    record: named(initial) ?? currencies[0],
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
    onDone() {
      onClose();
      tell(`A credit of ${key} costs ${text.trim()} ${money}`);
    },
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
      change={edit}
      failure="The price was not set."
      onSubmit={edit.save}
      onClose={onClose}
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
          label="One credit costs"
          name="price"
          value={text}
          onChange={(written) => edit.set({ text: written })}
          isNumber
          autoFocus
          error={
            text === "" || !isMoney || amount !== undefined
              ? undefined
              : "An amount from 0, as 0.25 or 0.0025"
          }
        />
        <MoneyCodeField value={money} onChange={(code) => edit.set({ money: code })} />
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
