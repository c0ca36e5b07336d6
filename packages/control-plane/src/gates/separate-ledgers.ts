import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { isMemory, liveMs, overlappingLedgers, type SpendingSpan } from "./ledger-overlap.ts";

/** After so long without usage nothing is known of a ledger any more. */
export const spendingKeptMs = 3_600_000;

/** Wallets that are named. */
const mostWallets = 10;

/** What the gates of one organisation spend wallets by. */
export interface SeparateLedgersFound {
  /** Those that spend the same wallets and do not share their holds; none, or two and more. */
  readonly ledgers: readonly SpendingSpan[];
  /** Some of these wallets. */
  readonly wallets: readonly { readonly customerId: string; readonly currency: string }[];
  /** Isolates with a guard spend wallets. */
  readonly isGuarded: boolean;
}

interface Row extends SpendingSpan {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly currency: string;
}

/** The organisations whose wallets are spent by separate ledgers, or within a guard; or one of them. */
export async function findSeparateLedgers(
  database: Database,
  now: number,
  orgId?: bigint,
): Promise<ReadonlyMap<bigint, SeparateLedgersFound>> {
  const since = new Date(now - spendingKeptMs);
  const only: RawBuilder<unknown> = orgId === undefined ? sql`true` : sql`org_id = ${orgId}`;
  // Without a limit nothing can be overspent.
  const { rows } = await sql<Omit<Row, "firstAt" | "lastAt"> & { firstAt: Date; lastAt: Date }>`
    select spent.org_id as "orgId", spent.customer_id as "customerId", spent.currency, ledger,
           first_at as "firstAt", last_at as "lastAt"
      from (select *, count(*) over (partition by org_id, customer_id, currency) as ledgers
              from gate_wallets where last_at > ${since} and ${only}) as spent
      join wallets using (org_id, customer_id, currency)
     where (ledgers > 1 or ledger = 'guard') and not (kind = 'postpaid' and postpaid_limit = 0)
     order by spent.org_id, spent.customer_id, spent.currency`.execute(database);
  const byOrganization = new Map<bigint, Row[]>();
  for (const row of rows) {
    const own = byOrganization.get(row.orgId) ?? [];
    byOrganization.set(row.orgId, own);
    own.push({ ...row, firstAt: row.firstAt.getTime(), lastAt: row.lastAt.getTime() });
  }
  return new Map([...byOrganization].map(([id, own]) => [id, separateLedgersIn(own, now)]));
}

function separateLedgersIn(rows: readonly Row[], now: number): SeparateLedgersFound {
  const wallets = [];
  const ledgers = new Map<string, SpendingSpan>();
  for (const [first, ...others] of byWallet(rows)) {
    if (first === undefined) continue;
    const overlapping = overlappingLedgers([first, ...others], now);
    if (overlapping.length === 0) continue;
    wallets.push({ customerId: first.customerId, currency: first.currency });
    for (const { ledger, firstAt, lastAt } of overlapping) {
      const known = ledgers.get(ledger);
      ledgers.set(ledger, {
        ledger,
        firstAt: Math.min(firstAt, known?.firstAt ?? firstAt),
        lastAt: Math.max(lastAt, known?.lastAt ?? lastAt),
      });
    }
  }
  return {
    ledgers: [...ledgers.values()].sort(byKind),
    wallets: wallets.slice(0, mostWallets),
    isGuarded: rows.some(({ ledger, lastAt }) => ledger === "guard" && lastAt >= now - liveMs),
  };
}

function byWallet(rows: readonly Row[]): Iterable<readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const wallet = JSON.stringify([row.customerId, row.currency]);
    const own = found.get(wallet) ?? [];
    found.set(wallet, own);
    own.push(row);
  }
  return found.values();
}

/** Those in memory first, which are to be mended, the oldest first. */
function byKind(one: SpendingSpan, other: SpendingSpan): number {
  return Number(isMemory(other.ledger)) - Number(isMemory(one.ledger)) || one.firstAt - other.firstAt;
}
