import type { AdminCurrency } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
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
  const [key, setKey] = useState(initial ?? currencies[0]?.credit_currency_key ?? "");
  const price = currencies.find((one) => one.credit_currency_key === key)?.unitPrice ?? null;
  const [text, setText] = useState("");
  const [written, setMoney] = useState<string>();
  const money = written ?? price?.currency ?? "EUR";
  const isMoney = isMoneyCode(money);
  const amount = isMoney ? parseUnitPrice(text, money) : undefined;
  const save = useChange({
    change: (cost: string) =>
      admin
        .organization(organizationId)
        .currencies.set({ credit_currency_key: key, unitPrice: { amount: cost, currency: money } }),
    untrue: [["currencies", organizationId]],
    onDone() {
      onClose();
      tell(`A credit of ${key} costs ${text.trim()} ${money}`);
    },
  });
  return (
    <FormDialog
      title="Price of a credit"
      action={amount === undefined ? "Set the price" : `Set ${text.trim()} ${money} a credit`}
      isReady={amount !== undefined}
      change={save}
      failure="The price was not set."
      onSubmit={() => {
        if (amount !== undefined) save.mutate(amount);
      }}
      onClose={onClose}
    >
      <Choice
        label="Credits"
        value={key}
        options={currencies.map((one) => ({
          value: one.credit_currency_key,
          label: one.credit_currency_key,
        }))}
        onChange={setKey}
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
          onChange={setText}
          isNumber
          autoFocus
          error={
            text === "" || !isMoney || amount !== undefined
              ? undefined
              : "An amount from 0, as 0.25 or 0.0025"
          }
        />
        <MoneyCodeField value={money} onChange={setMoney} />
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
