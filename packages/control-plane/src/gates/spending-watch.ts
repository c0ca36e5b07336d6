import { hash } from "node:crypto";
import { type GateIdentity, parseGateIdentity } from "@creditgate/client";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";
import { findSeparateLedgers, type SeparateLedgersFound, spendingKeptMs } from "./separate-ledgers.ts";

/** How often a process writes down who spends, and reads what others have. */
const passMs = 60_000;

/** Ledgers of one organisation that are remembered: a key may be used by any number of instances, or say so. */
const mostLedgers = 100;

/** Watches by which ledgers the gates of each organisation spend its wallets; replicas of the control plane know it together. */
export interface SpendingWatch {
  /** A gate has reported usage of this wallet. */
  note(orgId: bigint, gate: GateIdentity, customerId: string, currency: string): void;
  /**
   * What to report in the answer to a request with this header `Creditgate-Gate`: how many separate ledgers spend the wallets of the
   * organisation. To a gate, if its own is in memory and one of them; at once, for balances do not wait. To all others, such as the
   * doctor, what is known now.
   */
  report(orgId: bigint, header: unknown): Promise<string | undefined> | string | undefined;
}

interface SpendingWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export function createSpendingWatch({ database, clock, onError }: SpendingWatchOptions): SpendingWatch {
  const organizations = new Map<bigint, Map<string, SpendingSample>>();
  let found: ReadonlyMap<bigint, SeparateLedgersFound> = new Map();
  let dueAt = Number.NEGATIVE_INFINITY;
  let passing: Promise<void> | undefined;
  let isFailing = false;

  const pass = async (now: number): Promise<void> => {
    try {
      await write(database, organizations);
      found = await findSeparateLedgers(database, now);
      isFailing = false;
    } catch (error) {
      // What was not written is written with the next pass. Of an outage it is said once.
      if (!isFailing) onError(error);
      isFailing = true;
    }
    forget(organizations, now - spendingKeptMs);
    passing = undefined;
  };

  const passWhenDue = (): Promise<void> | undefined => {
    const now = clock.now();
    if (passing === undefined && now >= dueAt) {
      dueAt = now + passMs;
      passing = pass(now);
    }
    return passing;
  };

  const known = (orgId: bigint): string | undefined => {
    const { ledgers, isGuarded } = found.get(orgId) ?? { ledgers: [], isGuarded: false };
    if (ledgers.length > 0) return String(ledgers.length);
    return isGuarded ? "guarded" : undefined;
  };

  return {
    note(orgId, gate, customerId, currency) {
      const samples = organizations.get(orgId) ?? new Map<string, SpendingSample>();
      organizations.set(orgId, samples);
      const ledger = ledgerOf(gate);
      const sample = samples.get(ledger) ?? (samples.size < mostLedgers ? new SpendingSample() : undefined);
      if (sample === undefined) return;
      samples.set(ledger, sample);
      sample.see(customerId, currency, clock.now());
      void passWhenDue();
    },

    report(orgId, header) {
      const gate = parseGateIdentity(header);
      const earlier = passing;
      const due = passWhenDue();
      // One that is under way may have begun before what is asked for now.
      if (gate === undefined && due !== undefined)
        return due.then(() => (due === earlier ? passWhenDue() : undefined)).then(() => known(orgId));
      if (gate === undefined) return known(orgId);
      const ledgers = gate.ledger === "memory" ? (found.get(orgId)?.ledgers ?? []) : [];
      return ledgers.some(({ ledger }) => ledger === gate.id) ? String(ledgers.length) : undefined;
    },
  };
}

/** Those that share a ledger are one, and so are isolates with a guard, of which there may be any number. */
function ledgerOf({ id, ledger }: GateIdentity): string {
  return ledger === "memory" ? id : ledger;
}

interface Unwritten {
  readonly wallet: SpentWallet;
  readonly lastAt: number;
  readonly row: {
    readonly org_id: bigint;
    readonly customer_id: string;
    readonly currency: string;
    readonly ledger: string;
    readonly first_at: Date;
    readonly last_at: Date;
  };
}

const rowsAtOnce = 1_000;

async function write(
  database: Database,
  organizations: ReadonlyMap<bigint, ReadonlyMap<string, SpendingSample>>,
): Promise<void> {
  const unwritten: Unwritten[] = [];
  for (const [orgId, samples] of organizations)
    for (const [ledger, sample] of samples)
      for (const wallet of sample.unwritten) unwritten.push(unwrittenOf(orgId, ledger, wallet));
  // In one order, so that replicas which write the same rows wait for each other in turn.
  unwritten.sort((one, other) => compare(keyOf(one), keyOf(other)));
  for (let from = 0; from < unwritten.length; from += rowsAtOnce) {
    const part = unwritten.slice(from, from + rowsAtOnce);
    await database
      .insertInto("gate_wallets")
      .values(part.map(({ row }) => row))
      .onConflict((conflict) =>
        conflict.columns(["org_id", "customer_id", "currency", "ledger"]).doUpdateSet({
          // What was there before a long silence is as good as forgotten.
          first_at: sql`case when gate_wallets.last_at < excluded.first_at - interval '1 hour' then excluded.first_at
                             else least(gate_wallets.first_at, excluded.first_at) end`,
          last_at: sql`greatest(gate_wallets.last_at, excluded.last_at)`,
        }),
      )
      .execute();
    for (const { wallet, lastAt } of part) wallet.writtenAt = lastAt;
  }
}

function unwrittenOf(orgId: bigint, ledger: string, wallet: SpentWallet): Unwritten {
  const { customerId, currency, firstAt, lastAt } = wallet;
  const row = {
    ...{ org_id: orgId, customer_id: customerId, currency, ledger },
    ...{ first_at: new Date(firstAt), last_at: new Date(lastAt) },
  };
  return { wallet, lastAt, row };
}

function keyOf({ row }: Unwritten): string {
  return JSON.stringify([String(row.org_id), row.customer_id, row.currency, row.ledger]);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function forget(organizations: Map<bigint, Map<string, SpendingSample>>, before: number): void {
  for (const [orgId, samples] of organizations) {
    for (const [ledger, sample] of samples) if (!sample.forget(before)) samples.delete(ledger);
    if (samples.size === 0) organizations.delete(orgId);
  }
}

/** A wallet that a ledger has spent. */
interface SpentWallet {
  readonly customerId: string;
  readonly currency: string;
  readonly firstAt: number;
  lastAt: number;
  /** Up to when it has been written down. */
  writtenAt: number;
}

/** Wallets of one ledger that are remembered. */
const mostWallets = 32;

/**
 * Some of the wallets that one ledger spends: those whose hashes are the lowest. So two ledgers that spend the same wallets
 * have the same ones in their samples, however many there are and whichever replica counts them.
 */
class SpendingSample {
  readonly #wallets = new Map<string, SpentWallet & { readonly rank: string }>();
  /** The highest rank of a full sample: what is above it is not looked at again. */
  #highest: string | undefined;

  see(customerId: string, currency: string, now: number): void {
    const name = `${currency} ${customerId}`;
    const known = this.#wallets.get(name);
    if (known !== undefined) {
      known.lastAt = Math.max(known.lastAt, now);
      return;
    }
    const rank = hash("sha256", name);
    if (this.#highest !== undefined) {
      if (rank > this.#highest) return;
      for (const [other, wallet] of this.#wallets)
        if (wallet.rank === this.#highest) this.#wallets.delete(other);
    }
    const unwritten = Number.NEGATIVE_INFINITY;
    this.#wallets.set(name, {
      customerId,
      currency,
      firstAt: now,
      lastAt: now,
      writtenAt: unwritten,
      rank,
    });
    this.#highest = this.#highestRank();
  }

  /** Those that have been spent since they were written down. */
  get unwritten(): readonly SpentWallet[] {
    return [...this.#wallets.values()].filter(({ lastAt, writtenAt }) => lastAt > writtenAt);
  }

  /** Forgets wallets that were last spent before; whether any are left. */
  forget(before: number): boolean {
    for (const [name, { lastAt }] of this.#wallets) if (lastAt < before) this.#wallets.delete(name);
    this.#highest = this.#highestRank();
    return this.#wallets.size > 0;
  }

  #highestRank(): string | undefined {
    if (this.#wallets.size < mostWallets) return undefined;
    return [...this.#wallets.values()].map(({ rank }) => rank).reduce((a, b) => (a > b ? a : b));
  }
}
