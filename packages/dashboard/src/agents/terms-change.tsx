import type { AdminPrice, IndicatorTerms, Rates } from "@creditgate/client/admin";
import type { ReactNode } from "react";
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

/** The same, for people. */
export function TermsChange({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  return (
    <table>
      <caption className="unseen">What changes, in credits</caption>
      <thead>
        <tr>
          <th scope="col">Price of</th>
          <th scope="col" className="r">
            Before
          </th>
          <th scope="col" className="r">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="r">{before ?? <span className="quiet">none</span>}</td>
            <td className="r">
              {after === undefined ? <span className="quiet">none</span> : <b>{after}</b>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
