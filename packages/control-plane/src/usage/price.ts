import type { RawUsage, Units } from "@creditgate/client";
import { Problem } from "../http/problem.ts";
import { parseDecimal } from "../money/decimal.ts";
import {
  amountOf,
  type Charge,
  type Component,
  type Count,
  minutesOf,
  type Quantity,
  unknownUnit,
  whole,
} from "../pricing/pricing.ts";
import { priceFor, type Terms } from "../pricing/terms.ts";
import { largestAmount } from "./events.ts";

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

type Counts = { -readonly [component in Component]?: Count };

/**
 * What a usage report counts of each thing that has a price. Each token is counted once: in the part that it belongs to, else as
 * one of the rest. Parts that are more than their total together are cut, the last one first.
 */
export function quantityOf(usage: RawUsage): Quantity {
  const quantity: Counts = { perEvent: whole(1) };
  quantity.perThousandInputTokens = whole(
    take(quantity, usage.inputTokens, [
      ["perThousandCachedTokens", usage.cachedInputTokens],
      ["perThousandCacheWriteTokens", usage.cacheWriteTokens],
      ["perThousandAudioInputTokens", usage.audioInputTokens],
    ]),
  );
  quantity.perThousandOutputTokens = whole(
    take(quantity, usage.outputTokens, [
      ["perThousandReasoningTokens", usage.reasoningTokens],
      ["perThousandAudioOutputTokens", usage.audioOutputTokens],
    ]),
  );
  const { images, seconds, characters, requests, units } = usage;
  if (images !== undefined) quantity.perImage = whole(images);
  if (seconds !== undefined) quantity.perAudioMinute = minutesOf(seconds);
  if (characters !== undefined) quantity.perThousandCharacters = whole(characters);
  if (requests !== undefined) quantity.perRequest = whole(requests);
  return units === undefined ? quantity : { ...quantity, units: unitsOf(units) };
}

function unitsOf(units: Units): NonNullable<Quantity["units"]> {
  return Object.entries(units).map(([name, count]) => {
    const decimal = parseDecimal(count);
    if (decimal === undefined) throw new RangeError(`expected a count of ${name}, received ${count}`);
    return [name, decimal] as const;
  });
}

/** Takes the parts out of the total; what is left. */
function take(
  quantity: { [component in Component]?: Count },
  total: number | undefined,
  parts: readonly (readonly [Component, number | undefined])[],
): number {
  // Without a total there is nothing to cut them to.
  let rest = total ?? Number.POSITIVE_INFINITY;
  for (const [component, count] of parts) {
    if (count === undefined) continue;
    const taken = Math.min(count, rest);
    quantity[component] = whole(taken);
    rest -= taken;
  }
  return total === undefined ? 0 : rest;
}
