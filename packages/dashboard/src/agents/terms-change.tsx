import type { AdminPrice, IndicatorTerms, Rates } from "@creditgate/admin";
import { Table } from "../parts/table.tsx";
import { formatRate, namedRates } from "./rates.ts";

interface Change {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What is different in terms, rate by rate. */
export function changesOf(
  before: Pick<AdminPrice, "billing" | "currency" | "price" | "modelPrices"> | undefined,
  after: IndicatorTerms,
): readonly Change[] {
  const [old, fresh] = [before === undefined ? new Map() : linesOf(before), linesOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((name) => ({ name, before: old.get(name), after: fresh.get(name) }))
    .filter((change) => change.before !== change.after);
}

function linesOf({ billing, currency, price = {}, modelPrices = [] }: IndicatorTerms): Map<string, string> {
  const isBilled = billing === "CREDITS";
  return new Map([
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
      idOf={({ name }) => name}
      columns={[
        { header: "Price of", isName: true, cell: ({ name }) => name },
        { header: "Before", isNumber: true, cell: ({ before }) => before ?? none },
        {
          header: "After",
          isNumber: true,
          cell: ({ after }) => (after === undefined ? none : <b>{after}</b>),
        },
      ]}
    />
  );
}
