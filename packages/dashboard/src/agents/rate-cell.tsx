import type { Rates } from "@creditgate/admin";
import { type Component, componentWords, formatRate, isZero, rateInForce, totals } from "./rates.ts";

/** A rate as it holds; what is nothing, or as much as another, is quiet. */
export function RateText({ price, component }: { price: Rates; component: Component }) {
  const { text, isOfTotal } = rateInForce(price, component);
  const total = totals[component];
  if (isOfTotal && total !== undefined) {
    return (
      <span className="zero" title={`Priced as ${componentWords[total].name.toLowerCase()}`}>
        {formatRate(text)}
      </span>
    );
  }
  return isZero(text) ? <span className="zero">{formatRate(text)}</span> : formatRate(text);
}
