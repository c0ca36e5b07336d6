import type { AdminPrice, UsageCost, UsageCostPart } from "@creditgate/admin";
import type { ReactNode } from "react";
import { formatCredits } from "../parts/amounts.ts";
import { Amount, Table } from "../parts/table.tsx";
import { formatDay } from "../parts/time.tsx";
import { componentWords, creditsTimes, formatRate, isComponent } from "./rates.ts";

interface CostTableProps {
  readonly cost: UsageCost;
  readonly times: string;
  readonly later: { readonly cost: UsageCost; readonly price: AdminPrice } | undefined;
}

/** How a cost adds up, and what it would be under the next price. */
export function CostTable({ cost, times, later }: CostTableProps) {
  const isSeveral = !["", "1"].includes(times.trim());
  if (cost.creditCurrencyKey === null) {
    return <p className="small quiet">It is recorded, and debits nothing.</p>;
  }
  const sum = (name: ReactNode, credits: string) => (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td className="p1" />
      <td className="r">{credits}</td>
    </tr>
  );
  return (
    <Table
      caption="How the cost adds up, in credits"
      rows={cost.parts}
      idOf={({ component, unit }) => `${component} ${unit}`}
      columns={(column) => [
        column("Part", { isName: true }, (part) => wordsOf(part).name),
        column("Amount", { isNumber: true }, amountOf),
        column(
          "Price",
          {
            isNumber: true,
            from: 1,
            look: "quiet",
            title: ({ isRateOfTotal }) => (isRateOfTotal ? "They have no price of their own" : undefined),
          },
          (part) => (part.rate === null ? "no price" : `${formatRate(part.rate)} ${wordsOf(part).per}`),
        ),
        column("Credits", { isNumber: true }, ({ credits }) => <Amount of={credits} />),
      ]}
      foot={
        (isSeveral || later !== undefined) && (
          <>
            {isSeveral && sum("One use", formatCredits(cost.credits))}
            {later !== undefined &&
              sum(
                `Under v${later.price.version}, from ${formatDay(later.price.validFrom)}`,
                creditsTimes(later.cost.credits, times),
              )}
          </>
        )
      }
    />
  );
}

function wordsOf({ component, unit }: UsageCostPart): { readonly name: string; readonly per: string } {
  return isComponent(component) ? componentWords[component] : { name: unit ?? component, per: "each" };
}

function amountOf({ component, quantity }: UsageCostPart): string {
  const unit = { perAudioMinute: " s", perCallMinute: " min" }[component] ?? "";
  return formatQuantity(quantity) + unit;
}

/** With all its decimals, and no others. */
function formatQuantity(quantity: string): string {
  return quantity.includes(".") ? quantity : formatRate(quantity).replace(/\.00$/, "");
}
