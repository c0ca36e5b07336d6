import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { lockCustomer } from "../database/locks.ts";
import { openInvoice } from "../orders/invoice.ts";
import type { Money } from "../orders/record.ts";
import { nextPeriodStart, type PeriodSettings, periodStart } from "../periods/settings.ts";
import { visitDue, type WalletFailure } from "../wallets/due.ts";
import type { WalletKey } from "../wallets/entry.ts";

interface TopUpClock {
  /** Of billing periods, for organisations without settings of their own. */
  readonly defaults: PeriodSettings;
  readonly now: Date;
}

/**
 * `waits`: one waits for its payment already, or nothing is due any more. `period_full`: no more are ordered in this billing
 * period. `out_of_range`: the wallet could not hold the credits; it is tried again in the next period.
 */
type TopUpOutcome = "ordered" | "waits" | "period_full" | "out_of_range";

/** How long an order waits for a customer or a wallet that another transaction holds. */
const lockWaitMs = 1_000;

/**
 * Orders credits for a wallet that is below its threshold, with an invoice, in one transaction: there is no order without its
 * invoice, and a wallet has one order at most that waits for its payment, which the database sees to.
 */
function orderTopUp(database: Database, key: WalletKey, clock: TopUpClock): Promise<TopUpOutcome> {
  return database.transaction().execute(async (transaction) => {
    await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(transaction);
    await lockCustomer(transaction, key.orgId, key.customerId);
    const wanted = await lockDue(transaction, key, clock.now);
    if (wanted === undefined) return "waits";
    if ((await ordersOfPeriod(transaction, key, clock)) >= wanted.most) {
      await rest(transaction, key, clock);
      return "period_full";
    }
    return place(transaction, key, wanted, clock);
  });
}

interface Wanted {
  readonly credits: bigint;
  readonly price: Money;
  /** Orders in a billing period. */
  readonly most: number;
  /** Whether the wallet can hold the credits. */
  readonly fits: boolean;
}

/** What a wallet wants now; `undefined` for one that has been topped up, or ordered for, meanwhile. */
async function lockDue(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: WalletKey,
  now: Date,
): Promise<Wanted | undefined> {
  const { rows } = await sql<Omit<Wanted, "price"> & Money>`
    select auto_top_up_credits as credits, auto_top_up_amount as amount, auto_top_up_currency as currency,
           auto_top_up_most as most,
           pending::numeric + available + auto_top_up_credits <= 9223372036854775807 as fits
      from wallets
     where (org_id, customer_id, currency) = (${orgId}, ${customerId}, ${currency})
       and top_up_due and top_up_at <= ${now}
       for no key update`.execute(transaction);
  return rows.map(({ amount, currency: money, ...wanted }) => ({
    ...wanted,
    price: { amount, currency: money },
  }))[0];
}

/** Those that were cancelled count too: what is made again and again after each void would have no end. */
async function ordersOfPeriod(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: WalletKey,
  { defaults, now }: TopUpClock,
): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select count(*)::integer as made
      from orders,
           (select ${periodStart(defaults, now)} as start_at from organizations where org_id = ${orgId}) as period
     where (orders.org_id, customer_id, top_up_currency) = (${orgId}, ${customerId}, ${currency})
       and created_at >= start_at`.execute(transaction);
  return rows[0]?.made ?? 0;
}

/** Until the next billing period. */
async function rest(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: WalletKey,
  { defaults, now }: TopUpClock,
): Promise<void> {
  await sql`
    update wallets
       set top_up_at = (select ${nextPeriodStart(defaults, now)} from organizations where org_id = ${orgId})
     where (org_id, customer_id, currency) = (${orgId}, ${customerId}, ${currency})`.execute(transaction);
}

async function place(
  transaction: DatabaseTransaction,
  key: WalletKey,
  wanted: Wanted,
  clock: TopUpClock,
): Promise<TopUpOutcome> {
  if (!wanted.fits) {
    await rest(transaction, key, clock);
    return "out_of_range";
  }
  const { orgId, customerId, currency } = key;
  const orderId = randomUUID();
  const isFirst = await insertOrder(transaction, key, orderId, clock.now);
  await sql`
    update wallets set top_up_at = 'infinity'
     where (org_id, customer_id, currency) = (${orgId}, ${customerId}, ${currency})`.execute(transaction);
  if (!isFirst) return "waits";
  const purchase = { platformFee: wanted.price, creditBenefits: [{ currency, amount: wanted.credits }] };
  const of = { org_id: orgId, order_id: orderId, position: 0 };
  const { amount: fee_amount, currency: fee_currency } = wanted.price;
  await transaction
    .insertInto("order_line_items")
    .values({ ...of, agent_id: null, fee_amount, fee_currency })
    .execute();
  await transaction
    .insertInto("credit_benefits")
    .values({ ...of, currency, amount: wanted.credits })
    .execute();
  const order = { orgId, customerId, orderId, lineItems: [purchase] };
  const refusal = await openInvoice(transaction, order, clock.now);
  if (refusal !== undefined)
    throw new Error(`The wallet in ${refusal.currency} refuses its top-up: ${refusal.reason}.`);
  const after = { type: "top_up", credits: wanted.credits, credit_currency_key: currency };
  const price = { amount: Number(fee_amount), currency: fee_currency };
  await audit(
    transaction,
    { orgId, actor: "auto-top-up", action: "order.create", subject: orderId, after: { ...after, price } },
    clock.now,
  );
  return "ordered";
}

/** `false` where one of the wallet waits for its payment. */
async function insertOrder(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: WalletKey,
  orderId: string,
  at: Date,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("orders")
    .values({
      org_id: orgId,
      order_id: orderId,
      customer_id: customerId,
      name: `Top-up of ${currency}`,
      start_date: at.toISOString().slice(0, 10),
      kind: "top_up",
      status: "pending",
      top_up_currency: currency,
      superseded_by: null,
      created_at: at,
      activated_at: null,
      superseded_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("order_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Orders credits for all wallets that want them; resolves how many orders were made. Any number of workers may do so at once.
 * What fails for one wallet holds up no other.
 */
export async function orderTopUps(
  database: Database,
  clock: TopUpClock,
  onFailure: (failure: WalletFailure) => void = () => undefined,
): Promise<number> {
  let made = 0;
  const isDue = sql`top_up_due and top_up_at <= ${clock.now}`;
  const order = async (wallet: WalletKey): Promise<void> => {
    const outcome = await orderTopUp(database, wallet, clock);
    if (outcome === "ordered") made += 1;
    if (outcome === "out_of_range") onFailure({ wallet, message: "it would hold too many credits" });
  };
  await visitDue(database, "top_up_at", isDue, order, onFailure);
  return made;
}
