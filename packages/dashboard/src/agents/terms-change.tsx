import type { AdminPrice, IndicatorTerms, Rates } from "@creditgate/admin";
import { type Change, differences } from "../parts/changes.ts";
import { Table } from "../parts/table.tsx";
import { formatRate, namedRates } from "./rates.ts";

/** What is different in terms, rate by rate. */
export function changesOf(
  before: Pick<AdminPrice, "billing" | "currency" | "price" | "modelPrices"> | undefined,
  after: IndicatorTerms,
): readonly Change[] {
  return differences(before === undefined ? {} : linesOf(before), linesOf(after));
}

function linesOf({ billing, currency, price = {}, modelPrices = [] }: IndicatorTerms) {
  const isBilled = billing === "CREDITS";
  return Object.fromEntries<string>([
    ["Billing", isBilled ? `credits of ${currency}` : billing.toLowerCase()],
    ...(isBilled ? rateLines(price, "") : []),
    ...(isBilled
      ? modelPrices.flatMap(({ provider, model, plan, price: own }) =>
          rateLines(own, `${[provider, model, plan].filter(Boolean).join(", ")}: `),
        )
      : []),
  ]);
}

function rateLines(price: Rates, prefix: string): [string, string][] {
  return namedRates(price).map(({ name, per, rate }) => [
    `${prefix}${name}, ${per}`,
    // 0.50 and 0.5 are one rate.
    formatRate(rate.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")),
  ]);
}

/** The changes as a table. */
export function TermsChange({ changes }: { readonly changes: readonly Change[] }) {
  const none = <span className="quiet">none</span>;
  return (
    <Table
      caption="What changes, in credits"
      rows={changes}
      idOf={({ field }) => field}
      columns={(column) => [
        column("Price of", { isName: true }, ({ field }) => field),
        column("Before", { isNumber: true }, ({ before }) => before ?? none),
        column("After", { isNumber: true }, ({ after }) => (after === undefined ? none : <b>{after}</b>)),
      ]}
    />
  );
}
