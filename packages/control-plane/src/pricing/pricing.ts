import type { Decimal } from "../money/decimal.ts";

/** What a price can be made of. Each is both a rate, in credits, and a count of what it is asked for. */
export const components = [
  "perEvent",
  "perThousandInputTokens",
  "perThousandOutputTokens",
  "perThousandCachedTokens",
  "perAudioMinute",
  "perThousandCharacters",
  "perCallMinute",
] as const;

export type Component = (typeof components)[number];

/** Rates in credits; what is missing costs nothing. */
export type Price = { readonly [component in Component]?: Decimal };

/** How much there is of each, in events, tokens, characters or minutes: not in thousands. */
export type Quantity = { readonly [component in Component]?: Decimal };

/** A part of an event, with the price that holds for it. */
export interface Charge {
  readonly price: Price;
  readonly quantity: Quantity;
}

/** The amount of one event in micro-credits: summed exactly over its charges, then rounded up once. */
export function amountOf(charges: readonly Charge[]): bigint {
  let sum = 0n;
  let scale = 0;
  for (const { price, quantity } of charges) {
    for (const component of components) {
      const rate = price[component];
      const count = quantity[component];
      if (rate === undefined || count === undefined) continue;
      const product = rate.digits * count.digits;
      const productScale = rate.scale + count.scale + (component.startsWith("perThousand") ? 3 : 0);
      if (productScale > scale) {
        sum *= 10n ** BigInt(productScale - scale);
        scale = productScale;
      }
      sum += productScale === scale ? product : product * 10n ** BigInt(scale - productScale);
    }
  }
  return divideUp(sum * 1_000_000n, 10n ** BigInt(scale));
}

/** A whole number as a decimal. */
export function whole(count: number | bigint): Decimal {
  return { digits: BigInt(count), scale: 0 };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
