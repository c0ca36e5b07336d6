import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { AllowancePeriod } from "../database/order-tables.ts";
import type { Entry } from "./entry.ts";
import { addGrant, advanceGrants, end, expire, give, newGrant } from "./grants.ts";
import type { Grant, Wallet } from "./wallet.ts";

/** What may be changed of an allowance. Amounts are micro-credits. */
export interface AllowanceTerms {
  /** Of each period. */
  readonly credits: bigint;
  /** What of the remainder stays for one period more. */
  readonly rollover: bigint;
  readonly every: AllowancePeriod;
  readonly orderId: string | null;
}

export interface NewAllowance extends AllowanceTerms, Pick<Grant, "source" | "priority"> {
  /** The day on which periods begin; `undefined`: that of the first one. */
  readonly anchor: number | undefined;
  readonly timeZone: string;
}

/** Credits of a wallet that recur: each period has a grant, which expires as the next one begins. */
export interface Allowance extends AllowanceTerms, Pick<Grant, "source" | "priority"> {
  readonly allowanceId: string;
  readonly credits: bigint;
  /** That of the present period, and when that began. */
  grantId: string;
  period: Date;
  /** When the next period begins, and those after it, up to the first that is to come. */
  nextAt: Date;
  readonly ends: Date[];
}

/** What has become due of a wallet that is locked, to be posted, and its allowances that go on. */
export interface Advance {
  readonly entries: readonly Entry[];
  readonly allowances: readonly Allowance[];
}

/** Lets the grants and the periods of a wallet begin and end that are due, in the order of time. */
export async function advance(transaction: DatabaseTransaction, wallet: Wallet, now: Date): Promise<Advance> {
  const allowances = wallet.hasGrants ? await readAllowances(transaction, wallet, now) : [];
  const due = allowances.filter(({ nextAt }) => nextAt <= now);
  const entries: Entry[] = [];
  let last = 0;
  for (;;) {
    const next = due.reduce<Allowance | undefined>(earlier, undefined);
    if (next === undefined || next.nextAt > now) break;
    const at = next.nextAt.getTime();
    // What ends with the period is the allowance's.
    if (at > last) entries.push(...advanceGrants(wallet, new Date(at - 1)));
    entries.push(...renew(wallet, next));
    last = at;
  }
  await writePeriods(transaction, wallet, due);
  return { entries: [...entries, ...advanceGrants(wallet, now)], allowances };
}

function earlier(a: Allowance | undefined, b: Allowance): Allowance {
  return a === undefined || b.nextAt < a.nextAt ? b : a;
}

async function readAllowances(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency }: Wallet,
  now: Date,
): Promise<readonly Allowance[]> {
  const { rows } = await sql<Allowance>`
    select allowance_id as "allowanceId", credits, rollover, every, source, priority, order_id as "orderId",
           grant_id as "grantId", period, next_at as "nextAt",
           array(with recursive ends (at) as (
                   select period_start(every, anchor, time_zone, next_at, 1)
                    union all
                   select period_start(every, anchor, time_zone, at, 1) from ends where at <= ${now})
                 select at from ends) as ends
      from allowances
     where (org_id, customer_id, currency) = (${orgId}, ${customerId}, ${currency}) and next_at is not null
     order by allowance_id`.execute(transaction);
  return rows;
}

/** The next period begins. What stays of the one before keeps its place before the new credits, and does not stay again. */
function renew(wallet: Wallet, allowance: Allowance): readonly Entry[] {
  const { nextAt: period, rollover } = allowance;
  const [nextAt] = allowance.ends.splice(0, 1);
  if (nextAt === undefined) throw new Error("A period has an end.");
  const entries: Entry[] = [];
  const last = presentOf(wallet, allowance);
  if (last?.expiresAt != null && last.expiresAt <= period) {
    const rolled = last.remaining < rollover ? last.remaining : rollover;
    last.remaining -= rolled;
    if (rolled > 0n)
      addGrant(wallet, { ...newGrant({ ...last, amount: rolled, expiresAt: nextAt }), state: "active" });
    if (last.remaining > 0n) entries.push(expire(wallet, last));
    else last.state = "ended";
  }
  Object.assign(allowance, { period, nextAt });
  return [...entries, ...(givePeriod(wallet, allowance, period, allowance.credits) ?? [])];
}

/** Its grant of the present period, unless that is over. */
function presentOf({ grants }: Wallet, { grantId }: Allowance): Grant | undefined {
  return grants.find((grant) => grant.grantId === grantId && grant.state === "active");
}

/** Begins the grant of a period. `undefined` where the wallet would hold too much, as in {@link give}. */
function givePeriod(
  wallet: Wallet,
  allowance: Allowance,
  effectiveAt: Date,
  amount: bigint,
): readonly Entry[] | undefined {
  const { allowanceId, source, priority, orderId, nextAt: expiresAt } = allowance;
  const grant = newGrant({ allowanceId, source, priority, orderId, amount, effectiveAt, expiresAt });
  allowance.grantId = grant.grantId;
  return give(wallet, grant);
}

async function writePeriods(
  transaction: DatabaseTransaction,
  { orgId }: Wallet,
  allowances: readonly Allowance[],
): Promise<void> {
  if (allowances.length === 0) return;
  await sql`
    update allowances set grant_id = new.grant_id, period = new.period, next_at = new.next_at
      from unnest(${allowances.map(({ allowanceId }) => allowanceId)}::uuid[],
                  ${allowances.map(({ grantId }) => grantId)}::uuid[],
                  ${allowances.map(({ period }) => period)}::timestamptz[],
                  ${allowances.map(({ nextAt }) => nextAt)}::timestamptz[]) as new (allowance_id, grant_id, period, next_at)
     where (allowances.org_id, allowances.allowance_id) = (${orgId}, new.allowance_id)`.execute(transaction);
}

/** Makes an allowance, whose first period begins. `undefined`, and nothing may be committed, where the wallet would hold too much. */
export async function makeAllowance(
  transaction: DatabaseTransaction,
  wallet: Wallet,
  terms: NewAllowance,
  at: Date,
): Promise<{ readonly allowanceId: string; readonly entries: readonly Entry[] } | undefined> {
  const { orgId, customerId, currency } = wallet;
  const { credits, rollover, every, anchor = null, timeZone, source, priority, orderId } = terms;
  const allowanceId = randomUUID();
  const { rows } = await sql<{ nextAt: Date }>`
    insert into allowances (org_id, allowance_id, customer_id, currency, credits, rollover, every, anchor, time_zone, source, priority,
                            order_id, grant_id, period, next_at)
    select ${orgId}, ${allowanceId}, ${customerId}, ${currency}, ${credits}, ${rollover}, ${every}, day, ${timeZone}, ${source},
           ${priority}, ${orderId}, ${allowanceId}, ${at}, period_start(${every}, day, ${timeZone}, ${at}, 1)
      from coalesce(${anchor}::integer, period_anchor(${every}, ${timeZone}, ${at})) as day
    returning next_at as "nextAt"`.execute(transaction);
  const [{ nextAt } = { nextAt: at }] = rows;
  const allowance = { ...terms, allowanceId, grantId: allowanceId, period: at, nextAt, ends: [] };
  const entries = givePeriod(wallet, allowance, at, credits);
  await writePeriods(transaction, wallet, [allowance]);
  return entries && { allowanceId, entries };
}

/**
 * Changes an allowance. More credits count at once, unless this period's were taken back: less what its grants have paid, they
 * replace what remains, for as long as a period that begins now. Fewer count from the next period on. `undefined`, and nothing may be committed, where the wallet would hold too much.
 */
export async function changeAllowance(
  transaction: DatabaseTransaction,
  wallet: Wallet,
  before: Allowance,
  terms: AllowanceTerms,
  at: Date,
): Promise<readonly Entry[] | undefined> {
  const { allowanceId, period } = before;
  const { credits, rollover, every, orderId } = terms;
  const present = presentOf(wallet, before);
  const { paid, isTakenBack } = await readPaid(transaction, wallet, before);
  const amount = credits - paid;
  const isMore = amount > (present?.remaining ?? 0n) && !isTakenBack;
  // Another transaction may have begun the period after this one was asked for.
  const now = at < period ? period : at;
  const { rows } = await sql<{ nextAt: Date }>`
    update allowances
       set credits = ${credits}, rollover = ${rollover}, order_id = ${orderId}, every = ${every},
           anchor = case when every = ${every} then anchor else day end,
           next_at = case when every <> ${every} and ${isMore} then period_start(${every}, day, time_zone, ${now}, 1) else next_at end
      from (select period_anchor(${every}, time_zone, case when ${isMore} then ${now}::timestamptz else next_at end) as day
              from allowances where (org_id, allowance_id) = (${wallet.orgId}, ${allowanceId})) as new
     where (org_id, allowance_id) = (${wallet.orgId}, ${allowanceId})
    returning next_at as "nextAt"`.execute(transaction);
  if (!isMore) return [];
  const allowance = { ...before, ...terms, nextAt: rows[0]?.nextAt ?? before.nextAt };
  const taken = present === undefined ? [] : [end(wallet, present)];
  const given = givePeriod(wallet, allowance, period, amount);
  await writePeriods(transaction, wallet, [allowance]);
  return given && [...taken, ...given];
}

/** What the grants of its present period have paid; what rolled over into it began before. And whether its grant was taken back. */
async function readPaid(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency, grants }: Wallet,
  { allowanceId, grantId, period }: Allowance,
): Promise<{ readonly paid: bigint; readonly isTakenBack: boolean }> {
  const { rows } = await sql<{ paid: string; isTakenBack: boolean | null }>`
    select coalesce(sum(amount - remaining), 0)::text as paid,
           bool_or(grant_id = ${grantId} and remaining > 0) as "isTakenBack"
      from grants
     where (org_id, customer_id, currency, allowance_id) = (${orgId}, ${customerId}, ${currency}, ${allowanceId})
       and effective_at >= ${period} and state = 'ended'`.execute(transaction);
  const [{ paid, isTakenBack } = { paid: 0, isTakenBack: null }] = rows;
  const open = grants.filter((grant) => grant.allowanceId === allowanceId && grant.effectiveAt >= period);
  return {
    paid: open.reduce((sum, { amount, remaining }) => sum + amount - remaining, BigInt(paid)),
    isTakenBack: isTakenBack === true,
  };
}

/** No period begins after the present one, of these allowances, whose wallets are locked. */
export async function endAllowances(
  transaction: DatabaseTransaction,
  orgId: bigint,
  allowances: readonly Pick<Allowance, "allowanceId">[],
): Promise<void> {
  if (allowances.length === 0) return;
  await transaction
    .updateTable("allowances")
    .set({ next_at: null })
    .where("org_id", "=", orgId)
    .where(
      "allowance_id",
      "in",
      allowances.map(({ allowanceId }) => allowanceId),
    )
    .execute();
}

/** The same of all that a customer has who is erased; the wallets are locked. Without effect for one who is not. */
export async function endAllowancesOfErased(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
): Promise<void> {
  await sql`
    update allowances set next_at = null
     where (org_id, customer_id) = (${orgId}, ${customerId}) and next_at is not null
       and exists (select from customers
                    where (org_id, external_id) = (${orgId}, ${customerId}) and erased_at is not null)`.execute(
    transaction,
  );
}
