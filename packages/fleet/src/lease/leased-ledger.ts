import type { Transport } from "@creditgate/client";
import type { Clock, Ledger } from "@creditgate/core";
import {
  type Account,
  checkFunction,
  checkNames,
  checkNumber,
  checkOneOf,
  checkShape,
  day,
  type LedgerTerms,
  type ReservationJournal,
  sharedReading,
  systemClock,
} from "@creditgate/core/adapter";
import { LeasePart, type LedgerContext, nameOf } from "./lease-part.ts";
import type { LeasedAccount } from "./leased-account.ts";
import type { SharedStore, Terms } from "./shared-store.ts";
import { SyncQueue } from "./sync-queue.ts";

/** Options of {@link createLeasedLedger}. */
export interface LeasedLedgerOptions {
  /**
   * Whether a process gets more credits than it needs at once, so that most decisions are made in its memory; `false`: each costs a
   * round trip to the store, and nothing lies unused.
   * @default true
   */
  readonly leases?: boolean;
  /**
   * A process without an answer of the store for so long admits nothing; after a failure of the store nothing new is
   * granted for so long. The same in all processes. @default 3_000
   */
  readonly leaseMs?: number;
  /**
   * What a process has that is silent for so long counts as spent, for the settlement lag, and is free then; of one whose outbox
   * outlasts it, only its successor frees it. More than `leaseMs`. @default 60_000
   */
  readonly abandonMs?: number;
  /** Usage acknowledged within so long is one sum in the store, and counts for up to so much longer. @default 100 */
  readonly windowMs?: number;
  /** Time, for tests. @default the monotonic clock of the machine */
  readonly clock?: Clock;
  /** Chance, for tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

const optionNames: Readonly<Record<keyof LeasedLedgerOptions, true>> = {
  leases: true,
  leaseMs: true,
  abandonMs: true,
  windowMs: true,
  clock: true,
  random: true,
};

/** The least time between two troubles that are emitted. */
const troubleMs = 1_000;

/** The longest that `close()` waits for the store. */
const closeMs = 1_000;

/**
 * A ledger that many processes share through a store: what all of them together admit never costs more than the wallet can pay.
 * Give it to `createGate` as `ledger`, one for the process; `gate.close()` gives back what the process does not use. Throws an
 * `invalid_option` error for options that make no sense.
 */
export function createLeasedLedger(store: SharedStore, options: LeasedLedgerOptions = {}): Ledger {
  checkNames(options, optionNames);
  checkShape("store", store, "a shared store", ["exchange"]);
  return new LeasedLedger(store, options);
}

/** Until a gate has joined; the gate's own defaults. */
const defaultTerms: LedgerTerms = {
  settlementLagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 250,
  checkTimeoutMs: 1_000,
};

class LeasedLedger implements Ledger {
  /** Drawn when it is first used: a ledger may be made where Workers give no random values. */
  #id: string | undefined;
  readonly #store: SharedStore;
  readonly #context: LedgerContext;
  readonly #leaseMs: number;
  readonly #windowMs: number;
  readonly #ids = new Set<string>();
  /** By the journal of an outbox; without one, of the gates whose outbox does not outlast the process. */
  readonly #parts = new Map<ReservationJournal | undefined, LeasePart>();
  readonly #names: OrganizationNames;
  readonly #listeners = new Set<(trouble: unknown) => void>();
  #reportedAt = Number.NEGATIVE_INFINITY;
  #joined: LedgerTerms | undefined;
  #seq = 0;

  constructor(store: SharedStore, options: LeasedLedgerOptions) {
    this.#store = store;
    this.#leaseMs = checkNumber("leaseMs", options.leaseMs ?? 3_000, 10, day);
    this.#windowMs = checkNumber("windowMs", options.windowMs ?? 100, 1, day);
    const abandonMs = checkNumber(
      "abandonMs",
      options.abandonMs ?? Math.max(60_000, 2 * this.#leaseMs),
      this.#leaseMs,
      day,
    );
    const { clock = systemClock } = options;
    const random = checkFunction("random", options.random ?? Math.random);
    this.#names = new OrganizationNames(clock);
    const ledger = this;
    this.#context = {
      syncs: new SyncQueue({
        store,
        clock,
        random,
        requestMs: () => this.#agreed.checkTimeoutMs,
        report: (trouble) => this.#report(trouble),
      }),
      clock: checkShape("clock", clock, "a Clock", ["now", "schedule"]),
      random,
      wallClock: () => (clock.wall === undefined ? clock.now() : clock.wall()),
      leases: checkOneOf("leases", options.leases ?? true, [true, false]),
      abandonMs: Math.ceil(abandonMs),
      get terms() {
        return ledger.#terms;
      },
      get timeoutMs() {
        return ledger.#agreed.checkTimeoutMs;
      },
      nextSeq: () => ++this.#seq,
      isAlive: (id) => this.#ids.has(id),
      report: (trouble) => this.#report(trouble),
    };
  }

  get id(): string {
    this.#id ??= crypto.randomUUID();
    return this.#id;
  }

  join({ settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, troubled }: LedgerTerms): void {
    const joined = this.#joined;
    if (troubled !== undefined) this.#listeners.add(troubled);
    // Of several gates, what is right for all of them.
    this.#joined = {
      settlementLagMs: Math.max(settlementLagMs, joined?.settlementLagMs ?? 0),
      maxStaleMs: Math.min(maxStaleMs, joined?.maxStaleMs ?? maxStaleMs),
      minRefreshMs: Math.max(minRefreshMs, joined?.minRefreshMs ?? 0),
      checkTimeoutMs: Math.max(checkTimeoutMs, joined?.checkTimeoutMs ?? 0),
    };
  }

  readonly sharedReading = sharedReading;

  serviceOf(client: Pick<Transport, "fingerprint">): Promise<string> {
    return this.#names.of(client, this.#agreed.checkTimeoutMs);
  }

  account(service: string, customerId: string, currency: string, journal?: ReservationJournal): Account {
    return this.#partOf(journal).account(nameOf({ service, customerId, currency }));
  }

  /** An account as a wallet's: its holds are taken before the wallet's, one after the other. */
  budget(
    service: string,
    customerId: string,
    currency: string,
    budget: string,
    journal?: ReservationJournal,
  ): Account {
    return this.#partOf(journal).account(nameOf({ service, customerId, currency, budget }));
  }

  async flush(giveBack: boolean): Promise<void> {
    await Promise.all([...this.#accounts()].map((account) => account.flush(giveBack)));
  }

  async counted(): Promise<void> {
    await Promise.all([...this.#accounts()].map((account) => account.counted()));
  }

  async close(): Promise<void> {
    const { clock, syncs } = this.#context;
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(closeMs, resolve);
      void this.flush(true).then(() => {
        cancel();
        resolve();
      });
    });
    for (const account of this.#accounts()) account.stop();
    syncs.close();
    await this.#store.close?.();
  }

  /** Each of a thousand wallets may meet the same trouble. */
  #report(trouble: unknown): void {
    const now = this.#context.clock.now();
    if (now - this.#reportedAt < troubleMs) return;
    this.#reportedAt = now;
    for (const listener of this.#listeners) listener(trouble);
  }

  #partOf(journal: ReservationJournal | undefined): LeasePart {
    const known = this.#parts.get(journal);
    if (known !== undefined) return known;
    const id = journal === undefined ? this.id : crypto.randomUUID();
    const part = new LeasePart(id, this.#context, journal);
    this.#ids.add(id);
    this.#parts.set(journal, part);
    return part;
  }

  *#accounts(): Generator<LeasedAccount> {
    for (const part of this.#parts.values()) yield* part.accounts();
  }

  get #agreed(): LedgerTerms {
    return this.#joined ?? defaultTerms;
  }

  get #terms(): Terms {
    const { settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs } = this.#agreed;
    return {
      leaseMs: Math.ceil(this.#leaseMs),
      lagMs: Math.ceil(settlementLagMs),
      maxStaleMs: Math.floor(maxStaleMs),
      minRefreshMs: Math.ceil(minRefreshMs),
      requestMs: Math.ceil(checkTimeoutMs),
      windowMs: Math.ceil(this.#windowMs),
    };
  }
}

type Named = Pick<Transport, "fingerprint">;

interface Asked {
  readonly name: Promise<string>;
  readonly at: number;
}

/**
 * What a shared ledger calls services: by their organisation, whichever of its keys a process has. By their keys, the old and the
 * new one of a rotation would each be given the whole wallet.
 */
export class OrganizationNames {
  readonly #clock: Clock;
  readonly #asked = new WeakMap<Named, Asked>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests that come together ask once, and again `restMs` later. */
  of(client: Named, restMs: number): Promise<string> {
    const now = this.#clock.now();
    const last = this.#asked.get(client);
    if (last !== undefined && now - last.at < restMs) return last.name;
    const name = client.fingerprint("organization");
    this.#asked.set(client, { name, at: now });
    return name;
  }
}
