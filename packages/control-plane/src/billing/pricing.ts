import type { Decimal } from "./decimal.ts";

/** What an indicator costs, in credits. */
export interface Price {
  readonly perEvent: Decimal;
  readonly perThousandInputTokens: Decimal;
  readonly perThousandOutputTokens: Decimal;
}

export interface Quantity {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The price of one event in micro-credits: summed exactly, then rounded up once. */
export function priceOf(price: Price, quantity: Quantity): bigint {
  const { perEvent, perThousandInputTokens, perThousandOutputTokens } = price;
  const scale = 3 + Math.max(perEvent.scale, perThousandInputTokens.scale, perThousandOutputTokens.scale);
  const sum =
    scaled(perEvent, scale) +
    scaled(perThousandInputTokens, scale - 3) * BigInt(quantity.inputTokens) +
    scaled(perThousandOutputTokens, scale - 3) * BigInt(quantity.outputTokens);
  return divideUp(sum * 1_000_000n, 10n ** BigInt(scale));
}

function scaled(decimal: Decimal, scale: number): bigint {
  return decimal.digits * 10n ** BigInt(scale - decimal.scale);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
