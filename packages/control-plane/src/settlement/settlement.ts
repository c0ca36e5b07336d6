import { type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { UsageOutcome } from "../database/tables.ts";
import { writeEvents } from "../events/outbox.ts";
import { rejectedUsage } from "../events/usage-events.ts";
import { countEvents } from "../usage/tallies.ts";
import { type Entry, lockWallets, nameOf, post, type WalletKey } from "../wallets/ledger.ts";
import { lockMissing } from "../wallets/missing-wallets.ts";
import { accrualOf, apply, debit, type Wallet } from "../wallets/wallet.ts";
import {
  clearSettlementFailures,
  failureRetryMs,
  isOfOneEvent,
  noteSettlementFailure,
  type SettlementFailure,
} from "./failures.ts";

interface DueEvent {
  readonly orgId: bigint;
  readonly usageId: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly currency: string | null;
  readonly amount: bigint;
  readonly receivedAt: Date;
  /** Whether it is in the sums: it has been settled before, and was taken up again. */
  readonly isCounted: boolean;
}

export interface SettledEvent {
  readonly outcome: UsageOutcome;
  readonly receivedAt: Date;
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
      events = await claimDue(transaction, selection, condition);
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
  { now, waitFor, isRetry = false }: BatchSelection,
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
  const settled = events.flatMap((event) => {
    const outcome = settle(event, { wallets, missing }, entries);
    return outcome === undefined ? [] : [{ ...event, outcome }];
  });
  await post(transaction, [...wallets.values()], entries, now);
  await sql`
    update usage_reports
       set settled_at = ${now}, outcome = settled.outcome, counted = true, changed_in = pg_current_xact_id()
      from unnest(${settled.map(({ orgId }) => orgId)}::bigint[],
                  ${settled.map(({ usageId }) => usageId)}::uuid[],
                  ${settled.map(({ outcome }) => outcome)}::text[]) as settled (org_id, usage_id, outcome)
     where (usage_reports.org_id, usage_reports.usage_id) = (settled.org_id, settled.usage_id)
       and ${receivedWith(settled)}`.execute(transaction);
  await writeEvents(transaction, rejectedUsage(settled), now);
  if (isRetry) await clearSettlementFailures(transaction, settled);
  // Last, since others who count usage of the same hour wait for the end of this.
  await countEvents(
    transaction,
    settled.filter(({ isCounted }) => !isCounted),
  );
  const held = [...keys].flatMap(([name, key]) => (missing.has(name) ? [] : [key]));
  return { claimed: events.length, settled, held, failures: [] };
}

/** Which events a batch takes. What has failed before would make each batch fail that it is in. */
function conditionOf({ now, except = [], waitFor, isRetry = false }: BatchSelection): RawBuilder<unknown> {
  const failed = sql`select from settlement_failures as failure
                      where (failure.org_id, failure.usage_id) = (usage_reports.org_id, usage_reports.usage_id)`;
  const retryBefore = new Date(now.getTime() - failureRetryMs);
  const conditions = [
    isRetry ? sql`exists (${failed} and failed_at <= ${retryBefore})` : sql`not exists (${failed})`,
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
  return sql`(org_id, usage_id) in (select * from unnest(${events.map(({ orgId }) => orgId)}::bigint[],
                                                         ${events.map(({ usageId }) => usageId)}::uuid[]))`;
}

/** The span in which these were received: the months without any of them are not read. A `Date` has no microseconds. */
function receivedWith(events: readonly DueEvent[]): RawBuilder<boolean> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { receivedAt } of events) {
    first = Math.min(first, receivedAt.getTime());
    last = Math.max(last, receivedAt.getTime());
  }
  if (events.length === 0) return sql<boolean>`false`;
  return sql<boolean>`received_at >= ${new Date(first)}::timestamptz and received_at < ${new Date(last + 1)}::timestamptz`;
}

async function claimDue(
  transaction: DatabaseTransaction,
  { now, limit = 500 }: BatchSelection,
  condition: RawBuilder<unknown>,
): Promise<readonly DueEvent[]> {
  const { rows } = await sql<DueEvent>`
    select org_id as "orgId", usage_id as "usageId", customer_id as "customerId", agent_id as "agentId", indicator,
           currency, amount, received_at as "receivedAt", counted is not null as "isCounted"
      from usage_reports
     where settled_at is null and due_at <= ${now} and ${condition}
     order by due_at
     limit ${limit}
       for no key update of usage_reports skip locked`.execute(transaction);
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
  const change = debit(wallet, amount);
  if (!apply(wallet, change)) return "out_of_range";
  const accruedAt = accrualOf(wallet, change, receivedAt);
  entries.push({ orgId, customerId, currency, cause: "usage", usageId, accruedAt, ...change });
  return wallet.kind === "prepaid" ? "debited" : "accrued";
}

function walletKeys(events: readonly DueEvent[]): Map<string, WalletKey> {
  const keys = new Map<string, WalletKey>();
  for (const { orgId, customerId, currency } of events) {
    if (currency !== null) keys.set(nameOf({ orgId, customerId, currency }), { orgId, customerId, currency });
  }
  return keys;
}
