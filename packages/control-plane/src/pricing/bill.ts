import type { Decimal } from "../money/decimal.ts";
import { amountOf, type Charge, type Component, type Count, components, rateOf } from "./pricing.ts";

/** A line of what an event costs. */
export interface BillLine {
  /** `perUnit` where it is a unit with a name of the users' own. */
  readonly component: Component | "perUnit";
  readonly unit: string | undefined;
  readonly count: Count;
  /** `undefined`: it costs nothing. */
  readonly rate: Decimal | undefined;
  /** Whether the rate is that of the tokens that it is a part of. */
  readonly isOfTotal: boolean;
  /** In micro-credits. */
  readonly amount: bigint;
}

/**
 * What {@link amountOf} is made of, line by line; what there is none of has no line. Each line is what the amount rises by
 * when it is added, so that the lines add up to it: it is rounded once.
 */
export function billOf(charges: readonly Charge[]): readonly BillLine[] {
  const before: Charge[] = [];
  let sum = 0n;
  return charges.flatMap(linesOf).flatMap(({ charge, ...line }): readonly BillLine[] => {
    if (line.count.digits === 0n) return [];
    before.push(charge);
    const amount = amountOf(before) - sum;
    sum += amount;
    return [{ ...line, amount }];
  });
}

type Line = Omit<BillLine, "amount"> & { readonly charge: Charge };

function linesOf({ price, quantity }: Charge): readonly Line[] {
  const counted = components.flatMap((component): readonly Line[] => {
    const count = quantity[component];
    if (count === undefined) return [];
    const rate = rateOf(price, component);
    const isOfTotal = rate !== undefined && price[component] === undefined;
    const charge = { price, quantity: { [component]: count } };
    return [{ component, unit: undefined, count, rate, isOfTotal, charge }];
  });
  const units = (quantity.units ?? []).map(
    ([unit, count]): Line => ({
      component: "perUnit",
      unit,
      count,
      rate: price.perUnit?.get(unit),
      isOfTotal: false,
      charge: { price, quantity: { units: [[unit, count]] } },
    }),
  );
  return [...counted, ...units];
}
