import type { RawUsage } from "@creditgate/client";
import { Problem } from "../http/problem.ts";
import { amountOf, type Charge, unknownUnit } from "../pricing/pricing.ts";
import { priceFor, type Terms } from "../pricing/terms.ts";
import { largestAmount } from "./events.ts";
import { quantityOf } from "./quantity.ts";

/** What a use costs. */
interface Priced {
  /** `null`: it is not in CREDITS. */
  readonly currency: string | null;
  /** In micro-credits. */
  readonly amount: bigint;
}

/** What has no price: usage in a unit that is not known, or usage that costs more than an event may. */
export type Unpriced = { readonly unit: string } | "unpriced";

/** Prices a report of usage by terms. */
export function priceUsage(terms: Terms, rawUsage: RawUsage): Priced | Unpriced {
  if (terms.billing !== "CREDITS") return { currency: null, amount: 0n };
  const charge = chargeOf(terms, rawUsage);
  if ("unit" in charge) return charge;
  return priceCharges(terms, [charge]);
}

/** What a report is charged for, and by which price; or the unit that the price does not know. */
export function chargeOf(terms: Terms, rawUsage: RawUsage): Charge | { readonly unit: string } {
  const price = priceFor(terms, rawUsage);
  const unit = rawUsage.units && unknownUnit(price, rawUsage.units);
  return unit === undefined ? { price, quantity: quantityOf(rawUsage) } : { unit };
}

/** The sum of charges, if an event may cost so much. */
export function priceCharges({ currency }: Terms, charges: readonly Charge[]): Priced | "unpriced" {
  const amount = amountOf(charges);
  return amount > largestAmount ? "unpriced" : { currency, amount };
}

/** Refuses usage in a unit that the indicator has no rate for. */
export function unitUnknown(indicator: string, unit: string | undefined): Problem {
  return new Problem(
    422,
    "unit_unknown",
    `rawUsage.units: expected units that indicator ${JSON.stringify(indicator)} has a rate for (perUnit), received ${JSON.stringify(unit)}`,
  );
}

/** Refuses usage that costs more than an event may. */
export function amountOutOfRange(): Problem {
  return new Problem(
    422,
    "amount_out_of_range",
    "rawUsage: expected usage that costs at most one billion credits, received more",
  );
}
