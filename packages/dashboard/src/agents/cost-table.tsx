import type { AdminPrice, UsageCost, UsageCostPart } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { formatCredits } from "../parts/credits.ts";
import { formatDay } from "../parts/time.tsx";
import { componentWords, formatRate, isComponent } from "./rates.ts";
import { creditsTimes } from "./times.ts";

/** How a cost adds up, and what it would be under the next price. */
export function CostTable({
  cost,
  times,
  later,
}: {
  readonly cost: UsageCost;
  readonly times: string;
  readonly later: { readonly cost: UsageCost; readonly price: AdminPrice } | undefined;
}): ReactNode {
  const isSeveral = !["", "1"].includes(times.trim());
  if (cost.credit_currency_key === null) {
    return <p className="small quiet">It is recorded, and debits nothing.</p>;
  }
  return (
    <table>
      <caption className="unseen">How the cost adds up, in credits</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col" className="r">
            Amount
          </th>
          <th scope="col" className="r p1">
            Price
          </th>
          <th scope="col" className="r">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {cost.parts.map((part) => (
          <Row key={`${part.component} ${part.unit}`} part={part} />
        ))}
      </tbody>
      {(isSeveral || later !== undefined) && (
        <tfoot>
          {isSeveral && (
            <tr>
              <th scope="row" colSpan={2}>
                One use
              </th>
              <td className="p1" />
              <td className="r">{formatCredits(cost.credits)}</td>
            </tr>
          )}
          {later !== undefined && (
            <tr>
              <th scope="row" colSpan={2}>
                Under v{later.price.version}, from {formatDay(later.price.validFrom)}
              </th>
              <td className="p1" />
              <td className="r">{creditsTimes(later.cost.credits, times)}</td>
            </tr>
          )}
        </tfoot>
      )}
    </table>
  );
}

function Row({ part }: { readonly part: UsageCostPart }): ReactNode {
  const { component, unit, quantity, rate, isRateOfTotal, credits } = part;
  const words = isComponent(component) ? componentWords[component] : { name: unit ?? component, per: "each" };
  return (
    <tr>
      <th scope="row">{words.name}</th>
      <td className="r">
        {formatQuantity(quantity)}
        {component === "perAudioMinute" && " s"}
        {component === "perCallMinute" && " min"}
      </td>
      <td className="r quiet p1" title={isRateOfTotal ? "They have no price of their own" : undefined}>
        {rate === null ? "no price" : `${formatRate(rate)} ${words.per}`}
      </td>
      <td className="r">
        {credits === 0 ? <span className="zero">{formatCredits(0)}</span> : formatCredits(credits)}
      </td>
    </tr>
  );
}

/** With all its decimals, and no others. */
function formatQuantity(quantity: string): string {
  return quantity.includes(".") ? quantity : formatRate(quantity).replace(/\.00$/, "");
}
