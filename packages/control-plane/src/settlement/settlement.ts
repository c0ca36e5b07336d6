import { type RawBuilder, sql } from "kysely";
import type { BudgetKey } from "../budgets/budget.ts";
import { budgetEvents } from "../budgets/warnings.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { StoredBudgets, UsageOutcome } from "../database/tables.ts";
import { writeEvents } from "../events/outbox.ts";
import { rejectedUsage } from "../events/usage-events.ts";
import { countEvents } from "../usage/tallies.ts";
import { advance } from "../wallets/allowances.ts";
import { type Entry, nameOf, type WalletKey } from "../wallets/entry.ts";
import { pay } from "../wallets/grants.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import { lockMissing } from "../wallets/missing-wallets.ts";
import { accrualOf, type Wallet } from "../wallets/wallet.ts";
import { failureRetryMs, isOfOneEvent, noteSettlementFailure, type SettlementFailure } from "./failures.ts";

interface DueEvent {
  /** Where its row lies, as long as it is locked. */
  readonly row: string;
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly receivedAt: Date;
  readonly dueAt: Date;
  /** Those in whose sums it is, once it is debited. */
  readonly budgets: StoredBudgets | null;
  /** Whether it is in the sums: it was settled before without an entry, and reopened. */
  readonly isCounted: boolean;
}

export interface SettledEvent {
  readonly outcome: UsageOutcome;
  readonly receivedAt: Date;
  readonly dueAt: Date;
  /** Whether it was settled before without an entry, and reopened. */
  readonly isCounted: boolean;
}

/** Which usage that is due. */
export interface BatchSelection {
  readonly now: Date;
  /** At most this many events. @default 500 */
  readonly limit?: number;
  /** Wallets whose usage is left for later. */
  readonly except?: readonly WalletKey[];
  /** Only the usage of this wallet, and waits for its lock as long as this, in milliseconds. */
  readonly waitFor?: { readonly wallet: WalletKey; readonly ms: number };
  /** Only usage that has failed, and waits for another attempt. */
  readonly isRetry?: boolean;
}

export interface Batch {
  /** How many events were found. */
  readonly claimed: number;
  /** Those that have been due for longest come first. */
  readonly settled: readonly SettledEvent[];
  /** Wallets that another transaction holds or opens: their usage is not settled yet. */
  readonly held: readonly WalletKey[];
  /** What cannot be settled, and was not known yet. */
  readonly failures: readonly SettlementFailure[];
}

/** Settles usage that is due; resolves how many events. */
export async function settleDue(database: Database, now: Date, limit?: number): Promise<number> {
  return (await settleBatch(database, { now, ...(limit === undefined ? {} : { limit }) })).settled.length;
}

/**
 * Settles usage that is due, oldest first, in one transaction. Any number of workers may do so at once: each claims
 * events that no other has, and the ledger takes one entry per event at most. No wallet that is held is waited for. A
 * batch that fails is divided, down to the events that fail; these are noted.
 */
export function settleBatch(database: Database, selection: BatchSelection): Promise<Batch> {
  return settleWhere(database, selection, conditionOf(selection));
}

async function settleWhere(
  database: Database,
  selection: BatchSelection,
  condition: RawBuilder<unknown>,
): Promise<Batch> {
  let events: readonly DueEvent[] = [];
  try {
    return await database.transaction().execute(async (transaction) => {
      events = await claimDue(transaction, condition, selection.limit);
      return settleEvents(transaction, events, selection);
    });
  } catch (error) {
    const [first] = events;
    if (first === undefined || !isOfOneEvent(error)) throw error;
    if (events.length > 1) return settleHalves(database, selection, events);
    const failure = { ...first, message: error instanceof Error ? error.message : String(error) };
    const isNew = await noteSettlementFailure(database, failure, selection.now);
    return { claimed: 1, settled: [], held: [], failures: isNew ? [failure] : [] };
  }
}

async function settleHalves(
  database: Database,
  selection: BatchSelection,
  events: readonly DueEvent[],
): Promise<Batch> {
  const middle = Math.ceil(events.length / 2);
  const first = await settleWhere(database, selection, among(events.slice(0, middle)));
  const second = await settleWhere(database, selection, among(events.slice(middle)));
  return {
    claimed: events.length,
    settled: [...first.settled, ...second.settled],
    held: [...first.held, ...second.held],
    failures: [...first.failures, ...second.failures],
  };
}

async function settleEvents(
  transaction: DatabaseTransaction,
  events: readonly DueEvent[],
  { now, waitFor }: BatchSelection,
): Promise<Batch> {
  if (events.length === 0) return { claimed: 0, settled: [], held: [], failures: [] };
  const keys = walletKeys(events);
  const wallets = new Map<string, Wallet>();
  if (waitFor !== undefined)
    await sql`select set_config('lock_timeout', ${String(waitFor.ms)}, true)`.execute(transaction);
  for (const wallet of await lockWallets(transaction, [...keys.values()], {
    skipLocked: waitFor === undefined,
  }))
    wallets.set(nameOf(wallet), wallet);
  for (const name of wallets.keys()) keys.delete(name);
  const missing = new Set((await lockMissing(transaction, [...keys.values()])).map(nameOf));

  const entries: Entry[] = [];
  // A period that has begun pays for what is used in it, also if nobody has let it begin.
  for (const wallet of wallets.values())
    if (wallet.dueAt !== null && wallet.dueAt <= now)
      entries.push(...(await advance(transaction, wallet, now)).entries);
  const settled = events.flatMap((event) => {
    const outcome = settle(event, { wallets, missing }, entries);
    return outcome === undefined ? [] : [{ ...event, outcome }];
  });
  await post(transaction, [...wallets.values()], entries, now);
  await takeFromQueue(transaction, settled, now);
  await writeEvents(transaction, rejectedUsage(settled), now);
  await writeEvents(transaction, await budgetEvents(transaction, settled.flatMap(budgetsOf), now), now);
  // Last, since others who count usage of the same hour wait for the end of this.
  await countEvents(
    transaction,
    settled.filter(({ isCounted }) => !isCounted),
  );
  const held = [...keys].flatMap(([name, key]) => (missing.has(name) ? [] : [key]));
  return { claimed: events.length, settled, held, failures: [] };
}

/** Deletes the rows of settled events; one that has no entry in the ledger gets an outcome in its place. */
async function takeFromQueue(
  transaction: DatabaseTransaction,
  settled: readonly (DueEvent & { readonly outcome: UsageOutcome })[],
  now: Date,
): Promise<void> {
  const others = settled.filter(({ outcome }) => outcome !== "debited" && outcome !== "accrued");
  await sql`
    with settled as (
           delete from usage_due where ctid = any(${settled.map(({ row }) => row)}::tid[])
           returning ctid as row, usage_due.*)
    insert into usage_outcomes (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at,
                                settled_at, outcome)
    select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, ${now}::timestamptz, outcome
      from settled join unnest(${others.map(({ row }) => row)}::tid[],
                               ${others.map(({ outcome }) => outcome)}::text[]) as other (row, outcome)
     using (row)`.execute(transaction);
}

/** Which events a batch takes. What has failed before would make each batch fail that it is in. */
function conditionOf({ now, except = [], waitFor, isRetry = false }: BatchSelection): RawBuilder<unknown> {
  const retryBefore = new Date(now.getTime() - failureRetryMs);
  const conditions = [
    sql`due_at <= ${now}`,
    isRetry ? sql`failed_at <= ${retryBefore}` : sql`failed_at is null`,
  ];
  if (waitFor !== undefined) conditions.push(ofWallets([waitFor.wallet]));
  // Usage without a currency has no wallet, and is settled like the others.
  if (except.length > 0) conditions.push(sql`(currency is null or not ${ofWallets(except)})`);
  return sql.join(conditions, sql` and `);
}

function ofWallets(keys: readonly WalletKey[]): RawBuilder<unknown> {
  return sql`(org_id, customer_id, currency) in (
               select * from unnest(${keys.map(({ orgId }) => orgId)}::bigint[],
                                    ${keys.map(({ customerId }) => customerId)}::text[],
                                    ${keys.map(({ currency }) => currency)}::text[]))`;
}

function among(events: readonly DueEvent[]): RawBuilder<unknown> {
  return sql`(org_id, received_at, usage_id) in (
               select * from unnest(${events.map(({ orgId }) => orgId)}::bigint[],
                                    ${events.map(({ receivedAt }) => receivedAt)}::timestamptz[],
                                    ${events.map(({ usageId }) => usageId)}::uuid[]))`;
}

async function claimDue(
  transaction: DatabaseTransaction,
  condition: RawBuilder<unknown>,
  limit = 500,
): Promise<readonly DueEvent[]> {
  // By indexes: the queue may have been short when its statistics were made, and PostgreSQL would read all of a long one.
  await sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_bitmapscan']) as name`.execute(
    transaction,
  );
  const { rows } = await sql<DueEvent>`
    select ctid as row, org_id as "orgId", usage_id as "usageId", customer_id as "customerId", agent_id as "agentId",
           indicator, currency, amount, received_at as "receivedAt", due_at as "dueAt", counted as "isCounted", budgets
      from usage_due
     where ${condition}
     order by due_at
     limit ${limit}
       for update skip locked`.execute(transaction);
  return rows;
}

interface FoundWallets {
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** The names of those that do not exist. */
  readonly missing: ReadonlySet<string>;
}

/** `undefined` where the wallet is held, or being opened: the usage is settled with a later batch. */
function settle(
  event: DueEvent,
  { wallets, missing }: FoundWallets,
  entries: Entry[],
): UsageOutcome | undefined {
  const { orgId, usageId, customerId, currency, amount, receivedAt } = event;
  if (currency === null) return "not_credits";
  const name = nameOf({ orgId, customerId, currency });
  const wallet = wallets.get(name);
  if (wallet === undefined) return missing.has(name) ? "wallet_missing" : undefined;
  if (amount === 0n) return "free";
  const paid = pay(wallet, amount, receivedAt);
  if (paid === undefined) return "out_of_range";
  const accruedAt = accrualOf(wallet, paid.change, receivedAt);
  entries.push(...paid.returned, {
    orgId,
    customerId,
    currency,
    cause: "usage",
    usageId,
    accruedAt,
    ...paid.change,
  });
  return wallet.kind === "prepaid" ? "debited" : "accrued";
}

/** Those whose sums a report may have moved. */
function budgetsOf({ orgId, customerId, currency, budgets }: DueEvent): readonly BudgetKey[] {
  if (currency === null || budgets === null) return [];
  return budgets.map(([key]) => ({ orgId, customerId, currency, key }));
}

function walletKeys(events: readonly DueEvent[]): Map<string, WalletKey> {
  const keys = new Map<string, WalletKey>();
  for (const { orgId, customerId, currency } of events) {
    if (currency !== null) keys.set(nameOf({ orgId, customerId, currency }), { orgId, customerId, currency });
  }
  return keys;
}
