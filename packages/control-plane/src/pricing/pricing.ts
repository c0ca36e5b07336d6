import type { Decimal } from "../money/decimal.ts";

/** What a price can be made of. Each is both a rate, in credits, and a count of what it is asked for. */
export const components = [
  "perEvent",
  "perThousandInputTokens",
  "perThousandOutputTokens",
  "perThousandCachedTokens",
  "perThousandCacheWriteTokens",
  "perThousandAudioInputTokens",
  "perThousandReasoningTokens",
  "perThousandAudioOutputTokens",
  "perImage",
  "perAudioMinute",
  "perThousandCharacters",
  "perRequest",
  "perCallMinute",
] as const;

export type Component = (typeof components)[number];

/** What a part of the tokens costs that has no rate: as much as the others of its total. */
const totals: { readonly [component in Component]?: Component } = {
  perThousandCachedTokens: "perThousandInputTokens",
  perThousandCacheWriteTokens: "perThousandInputTokens",
  perThousandAudioInputTokens: "perThousandInputTokens",
  perThousandReasoningTokens: "perThousandOutputTokens",
  perThousandAudioOutputTokens: "perThousandOutputTokens",
};

/** Rates in credits; what is missing costs nothing, and a part of the tokens what the others of its total do. */
export type Price = { readonly [component in Component]?: Decimal } & {
  /** Of units with names of the users' own. */
  readonly perUnit?: ReadonlyMap<string, Decimal>;
};

/** How much there is of each, in events, tokens, characters or minutes: not in thousands. */
export type Quantity = { readonly [component in Component]?: Count } & {
  readonly units?: readonly (readonly [name: string, count: Decimal])[];
};

/** A decimal, or the part of a whole that has no decimal, such as seconds in minutes. */
export interface Count extends Decimal {
  /** By which it is to be divided: a divisor of 60. @default 1 */
  readonly divisor?: bigint;
}

/** A part of an event, with the price that holds for it. */
export interface Charge {
  readonly price: Price;
  readonly quantity: Quantity;
}

/** The amount of one event in micro-credits: summed exactly over its charges, then rounded up once. */
export function amountOf(charges: readonly Charge[]): bigint {
  let sum = 0n;
  let scale = 0;
  const add = (rate: Decimal, count: Count, thousands: number): void => {
    const product = rate.digits * count.digits * (sixty / (count.divisor ?? 1n));
    const productScale = rate.scale + count.scale + thousands;
    if (productScale > scale) {
      sum *= 10n ** BigInt(productScale - scale);
      scale = productScale;
    }
    sum += productScale === scale ? product : product * 10n ** BigInt(scale - productScale);
  };
  for (const { price, quantity } of charges) {
    for (const component of components) {
      const count = quantity[component];
      if (count === undefined) continue;
      const rate = rateOf(price, component);
      if (rate !== undefined) add(rate, count, component.startsWith("perThousand") ? 3 : 0);
    }
    for (const [name, count] of quantity.units ?? []) {
      const rate = price.perUnit?.get(name);
      if (rate !== undefined) add(rate, count, 0);
    }
  }
  return divideUp(sum * 1_000_000n, sixty * 10n ** BigInt(scale));
}

/** The rate of a component; that of its total where it has none of its own. */
export function rateOf(price: Price, component: Component): Decimal | undefined {
  const total = totals[component];
  return price[component] ?? (total && price[total]);
}

/** The first unit that the price has no rate for. */
export function unknownUnit(
  { perUnit }: Price,
  units: Readonly<Record<string, unknown>>,
): string | undefined {
  return Object.keys(units).find((name) => perUnit?.has(name) !== true);
}

/** What all sums are counted in parts of. */
const sixty = 60n;

/** Seconds as minutes. */
export function minutesOf(seconds: number): Count {
  return { ...whole(seconds), divisor: sixty };
}

/** A whole number as a decimal. */
export function whole(count: number | bigint): Decimal {
  return { digits: BigInt(count), scale: 0 };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
