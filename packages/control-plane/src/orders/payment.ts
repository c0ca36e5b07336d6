import type { DatabaseTransaction } from "../database/connection.ts";
import { timeZoneOf } from "../database/existence.ts";
import { lockInvoice } from "../database/locks.ts";
import { writeEvents } from "../events/outbox.ts";
import {
  type Advance,
  type Allowance,
  advance,
  changeAllowance,
  endAllowances,
  endAllowancesOfErased,
  makeAllowance,
} from "../wallets/allowances.ts";
import type { Entry } from "../wallets/entry.ts";
import { give, newGrant } from "../wallets/grants.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import type { Credit } from "../wallets/top-up.ts";
import { apply, release, type Wallet } from "../wallets/wallet.ts";
import { activeOrders } from "./creation.ts";
import { sumByCurrency } from "./invoice.ts";
import { type Benefit, invoiceEvent, noteOrder, type OrderKey } from "./record.ts";

const dayMs = 24 * 60 * 60 * 1_000;

type Payment = "paid" | "paid_before" | "invoice_unknown" | "invoice_void" | "out_of_range";

/**
 * Marks an invoice paid, once: its credits become available, its pending order active, and the orders that this one
 * replaces superseded. Allowances go by the time zone of the organisation.
 */
export async function markPaid(
  transaction: DatabaseTransaction,
  orgId: bigint,
  invoiceId: string,
  at: Date,
  defaults = { timeZone: "UTC" },
): Promise<Payment> {
  const invoice = await lockInvoice(transaction, orgId, invoiceId);
  if (invoice === undefined) return "invoice_unknown";
  if (invoice.status === "paid") return "paid_before";
  if (invoice.status === "void") return "invoice_void";
  const paid = await transaction
    .updateTable("invoices")
    .set({ status: "paid", paid_at: at })
    .where("org_id", "=", orgId)
    .where("invoice_id", "=", invoiceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeEvents(transaction, [invoiceEvent("invoice.paid", paid)], at);
  const { customer_id: customerId, order_id: orderId, kind } = invoice;
  if (kind === "period" || orderId === null) return "paid";
  const order = { orgId, customerId, orderId };
  const replaced = await replacedBy(transaction, order);
  const released = await releaseBenefits(transaction, { ...order, invoiceId, replaced, defaults }, at);
  if (!released) return "out_of_range";
  await activate(transaction, order, replaced, at);
  return "paid";
}

/** The orders that one replaces as it becomes active. */
async function replacedBy(
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId }: OrderKey,
): Promise<readonly string[]> {
  const items = await transaction
    .selectFrom("order_line_items")
    .select("agent_id")
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  return activeOrders(
    transaction,
    orgId,
    customerId,
    items.flatMap(({ agent_id }) => agent_id ?? []),
  );
}

interface Released extends OrderKey {
  readonly invoiceId: string;
  readonly replaced: readonly string[];
  readonly defaults: { readonly timeZone: string };
}

async function releaseBenefits(
  transaction: DatabaseTransaction,
  order: Released,
  at: Date,
): Promise<boolean> {
  const { orgId, customerId, invoiceId, replaced } = order;
  const benefits = await readBenefits(transaction, order);
  const lost = replaced.length === 0 ? [] : await currenciesOf(transaction, order);
  const currencies = [...new Set([...benefits, ...lost].map(({ currency }) => currency))];
  const keys = currencies.map((currency) => ({ orgId, customerId, currency }));
  const wallets = await lockWallets(transaction, keys);
  const entries: Entry[] = [];
  for (const currency of currencies) {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) throw new Error(`The wallet of the benefits in ${currency} is gone.`);
    const own = benefits.filter((benefit) => benefit.currency === currency);
    const due = await advance(transaction, wallet, at);
    entries.push(...due.entries);
    if (own.length > 0) {
      const change = release(wallet, sumOf(own), sumOf(own.filter(isGranted)));
      if (!apply(wallet, change)) return false;
      entries.push({ orgId, customerId, currency, cause: "payment", invoiceId, ...change });
    }
    const given = await giveBenefits(transaction, wallet, { ...order, due, benefits: own }, at);
    if (given === undefined) return false;
    entries.push(...given);
  }
  if (benefits.some(({ every }) => every != null))
    await endAllowancesOfErased(transaction, orgId, customerId);
  await post(transaction, wallets, entries, at);
  return true;
}

/** The currencies of the allowances that orders have given. */
function currenciesOf(
  transaction: DatabaseTransaction,
  { orgId, customerId, replaced }: Released,
): Promise<readonly { readonly currency: string }[]> {
  return transaction
    .selectFrom("allowances")
    .select("currency")
    .where("org_id", "=", orgId)
    .where("customer_id", "=", customerId)
    .where("order_id", "in", replaced)
    .where("next_at", "is not", null)
    .execute();
}

/**
 * Begins the grants and allowances of an order in a wallet. Allowances of the orders that it replaces become its own, as far
 * as it has any; the others end. `undefined` where the wallet would hold too much.
 */
async function giveBenefits(
  transaction: DatabaseTransaction,
  wallet: Wallet,
  { orgId, orderId, replaced, defaults, due, benefits }: Released & Given,
  at: Date,
): Promise<readonly Entry[] | undefined> {
  const old = due.allowances.filter((allowance) => replaced.includes(allowance.orderId ?? ""));
  const [again, others] = paired(benefits.filter(isGranted), old);
  const entries: Entry[] = [];
  const source = { source: "purchase", priority: 50, orderId } as const;
  const begun = async (benefit: Benefit) => {
    const { amount, expires_in_days: days, every, rollover } = benefit;
    if (every == null) {
      const expiresAt = new Date(at.getTime() + (days ?? 0) * dayMs);
      return give(wallet, newGrant({ ...source, amount, effectiveAt: at, expiresAt, allowanceId: null }));
    }
    const terms = { ...source, credits: amount, rollover: rollover ?? 0n, every };
    const before = again.get(benefit) ?? others.shift();
    if (before !== undefined) return changeAllowance(transaction, wallet, before, terms, at);
    const timeZone = await timeZoneOf(transaction, orgId, defaults);
    const made = await makeAllowance(transaction, wallet, { ...terms, anchor: undefined, timeZone }, at);
    return made?.entries;
  };
  for (const benefit of benefits.filter(isGranted)) {
    const given = await begun(benefit);
    if (given === undefined) return undefined;
    entries.push(...given);
  }
  await endAllowances(transaction, orgId, others);
  return entries;
}

/**
 * The allowances that credits of an order go on with, as far as they recur as often: the most with the most, so that what is
 * ordered again changes nothing. And the other allowances.
 */
function paired(
  benefits: readonly Benefit[],
  allowances: readonly Allowance[],
): [Map<Benefit, Allowance>, Allowance[]] {
  const left = allowances.toSorted((a, b) => descending(a.credits, b.credits));
  const pairs = new Map<Benefit, Allowance>();
  for (const benefit of benefits.toSorted((a, b) => descending(a.amount, b.amount))) {
    const index = left.findIndex(({ every }) => every === benefit.every);
    const [same] = index < 0 ? [] : left.splice(index, 1);
    if (same !== undefined) pairs.set(benefit, same);
  }
  return [pairs, left];
}

function descending(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}

interface Given {
  readonly due: Advance;
  readonly benefits: readonly Benefit[];
}

async function activate(
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId }: OrderKey,
  replaced: readonly string[],
  at: Date,
): Promise<void> {
  if (replaced.length > 0) {
    await transaction
      .updateTable("orders")
      .set({ status: "superseded", superseded_by: orderId, superseded_at: at })
      .where("org_id", "=", orgId)
      .where("order_id", "in", replaced)
      .execute();
  }
  await transaction
    .updateTable("orders")
    .set({ status: "active", activated_at: at })
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  await noteOrder("order.activated", transaction, { orgId, customerId, orderId }, at);
}

/** The credits that come with an order, as its line items have them. */
export function readBenefits(
  transaction: DatabaseTransaction,
  { orgId, orderId }: Pick<OrderKey, "orgId" | "orderId">,
): Promise<readonly Benefit[]> {
  return transaction
    .selectFrom("credit_benefits")
    .select(["currency", "amount", "expires_in_days", "every", "rollover"])
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .orderBy("position")
    .execute();
}

/** Whether credits are a grant or an allowance: what has neither never expires. */
export function isGranted({ expires_in_days: days, every }: Benefit): boolean {
  return days != null || every != null;
}

export function sumOf(credits: readonly Credit[]): bigint {
  return credits.reduce((sum, { amount }) => sum + amount, 0n);
}

/** The credits that come with an order, one amount per currency. */
export async function benefitsOf(
  transaction: DatabaseTransaction,
  orgId: bigint,
  orderId: string,
): Promise<readonly Credit[]> {
  return sumByCurrency(await readBenefits(transaction, { orgId, orderId }));
}
