import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { maxMicroCredits, parseDecimal } from "../money/decimal.ts";

/**
 * Minor units of money that a credit may cost at most: with it, the price of all the credits that a wallet can hold is
 * within what an invoice can hold.
 */
export const maxUnitAmount = 1_000_000;

/** What an invoice's amount may be at most, in minor units: what a `bigint` column holds. */
const maxAmount = maxMicroCredits;

/** What a credit costs from an instant on; `undefined` where it has no price in money. */
export interface UnitPrice {
  readonly validFrom: Date;
  /** Minor units, as decimal text. */
  readonly amount: string | undefined;
  /** Three upper-case letters. */
  readonly money: string | undefined;
}

/** A part of a bill, in micro-credits, and since when it was accrued. */
export interface Accrued {
  readonly since: Date;
  readonly credits: bigint;
}

export interface Cost {
  /** Minor units, rounded up once. */
  readonly amount: bigint;
  readonly money: string;
  /** What it is made of: they sum up to the amount. */
  readonly parts: readonly CostPart[];
}

/** What credits cost that were accrued under one price. */
export interface CostPart extends Accrued {
  /** Minor units per credit, as decimal text. */
  readonly unitAmount: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** The prices of the credits of some currencies up to an instant, in the order in which they came into force. */
export async function unitPrices(
  transaction: DatabaseTransaction,
  orgId: bigint,
  currencies: readonly string[],
  until: Date,
): Promise<ReadonlyMap<string, readonly UnitPrice[]>> {
  const { rows } = await sql<{
    currency: string;
    valid_from: Date;
    unit_amount: string | null;
    unit_currency: string | null;
  }>`
    select currency, valid_from, unit_amount::text, unit_currency from unit_prices
     where org_id = ${orgId} and currency = any(${currencies}::text[])
     order by currency, valid_from, version`.execute(transaction);
  const found = new Map<string, UnitPrice[]>();
  for (const { currency, valid_from, unit_amount, unit_currency } of rows) {
    const versions = found.get(currency) ?? [];
    found.set(currency, versions);
    // Set before there was a bound, and its invoices may not fit: the next price holds from where it began.
    const unbillable = Number(versions.at(-1)?.amount ?? 0) > maxUnitAmount ? versions.pop() : undefined;
    versions.push({
      validFrom: unbillable?.validFrom ?? valid_from,
      amount: unit_amount ?? undefined,
      money: unit_currency ?? undefined,
    });
  }
  return new Map(
    [...found].map(([currency, versions]) => [
      currency,
      versions.filter(({ validFrom }) => validFrom < until),
    ]),
  );
}

/** Gives a currency another price from an instant on; what was accrued before keeps its own. The currency is locked. */
export async function setUnitPrice(
  transaction: DatabaseTransaction,
  orgId: bigint,
  price: {
    readonly currency: string;
    readonly unit_amount: string | null;
    readonly unit_currency: string | null;
  },
  validFrom: Date,
): Promise<void> {
  const { currency, unit_amount, unit_currency } = price;
  await sql`
    insert into unit_prices (org_id, currency, version, valid_from, unit_amount, unit_currency)
    select ${orgId}, ${currency}, coalesce(max(version), 0) + 1,
           greatest(${validFrom}::timestamptz, max(valid_from)),
           ${unit_amount}::numeric, ${unit_currency}
      from unit_prices where org_id = ${orgId} and currency = ${currency}`.execute(transaction);
}

/**
 * What credits cost: each part by the price in force when it was accrued. The last price says in which money the
 * invoice is; it holds too where there was none before, or one in another money, which cannot be added.
 */
export function costOf(parts: readonly Accrued[], prices: readonly UnitPrice[]): Cost | undefined {
  const last = prices.at(-1);
  if (last?.amount === undefined || last.money === undefined) return undefined;
  const charges = parts.map((part) => {
    const price = prices.findLast(({ validFrom }) => validFrom <= part.since);
    const { amount = "" } = price?.money === last.money ? (price ?? last) : last;
    const unit = parseDecimal(amount);
    if (unit === undefined) throw new RangeError(`expected a unit price, received ${amount}`);
    return { part, unitAmount: amount, digits: unit.digits * part.credits, scale: unit.scale };
  });
  const scale = Math.max(0, ...charges.map((charge) => charge.scale));
  const divisor = 1_000_000n * 10n ** BigInt(scale);
  let sum = 0n;
  let amount = 0n;
  const costs = charges.map(({ part, unitAmount, digits, scale: own }): CostPart => {
    sum += digits * 10n ** BigInt(scale - own);
    const before = amount;
    amount = (sum + divisor - 1n) / divisor;
    return { ...part, unitAmount, amount: amount - before };
  });
  if (amount <= maxAmount) {
    return { amount, money: last.money, parts: costs.filter(({ credits }) => credits > 0n) };
  }
  throw new RangeError(
    `amount: expected at most ${maxAmount} minor units of ${last.money}, received ${amount}. ` +
      `A credit costs ${last.amount} of them: set a unitPrice of at most ${maxUnitAmount} (POST …/currencies)`,
  );
}

/** Whether it is a price of a credit. */
export function isUnitAmount(source: string | number): boolean {
  const exact = parseDecimal(source);
  if (exact === undefined || exact.digits < 0n || exact.scale > 15) return false;
  return exact.digits <= BigInt(maxUnitAmount) * 10n ** BigInt(exact.scale);
}
