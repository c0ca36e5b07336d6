import { formatDecimal, parseDecimal } from "./decimal.ts";

/** Amounts are integers of micro-credits; credits are their decimal text at the borders of the service. */
const scale = 6;

/** More than this is refused where an amount comes in: one billion credits. */
export const maxCredits = 1_000_000_000;

/** What a `bigint` column holds. */
export const maxMicroCredits: bigint = 2n ** 63n - 1n;

/** Credits to micro-credits; `undefined` where the source is no number or has more than six decimals. */
export function microCredits(credits: string | number): bigint | undefined {
  const decimal = parseDecimal(credits);
  if (decimal === undefined) return undefined;
  if (decimal.scale <= scale) return decimal.digits * 10n ** BigInt(scale - decimal.scale);
  const unit = 10n ** BigInt(decimal.scale - scale);
  return decimal.digits % unit === 0n ? decimal.digits / unit : undefined;
}

/** Credits that a contract has checked, to micro-credits; throws where it has not. */
export function checkedMicroCredits(credits: number): bigint {
  const micro = microCredits(credits);
  if (micro === undefined) throw new RangeError(`expected at most ${scale} decimals, received ${credits}`);
  return micro;
}

/** Micro-credits to the exact decimal text of the credits. */
export function formatCredits(micro: bigint): string {
  return formatDecimal({ digits: micro, scale });
}
