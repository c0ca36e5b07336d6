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
  const products = charges.flatMap(productsOf);
  const scale = products.reduce((largest, product) => Math.max(largest, product.scale), 0);
  const sum = products.reduce(
    (total, product) => total + product.digits * 10n ** BigInt(scale - product.scale),
    0n,
  );
  return divideUp(sum * 1_000_000n, 10n ** BigInt(scale));
}

/** A whole number as a decimal. */
export function whole(count: number | bigint): Decimal {
  return { digits: BigInt(count), scale: 0 };
}

function productsOf({ price, quantity }: Charge): Decimal[] {
  return components.flatMap((component) => {
    const rate = price[component];
    const count = quantity[component];
    if (rate === undefined || count === undefined) return [];
    const thousands = component.startsWith("perThousand") ? 3 : 0;
    return [{ digits: rate.digits * count.digits, scale: rate.scale + count.scale + thousands }];
  });
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
