import type { Transport } from "@creditgate/client";
import { type Clock, systemClock } from "../../values/clock.ts";
import { checkNames, checkNumber, checkOneOf, checkShape, day } from "../../values/option.ts";
import type { Account, BlockJournal, Ledger, LedgerTerms } from "../ledger.ts";
import type { LeaseContext } from "./lease-context.ts";
import { LeasedAccount } from "./leased-account.ts";
import { OrganizationNames } from "./organization-names.ts";
import type { SharedStore, Terms } from "./shared-store.ts";

/** Options of {@link createLeasedLedger}. */
export interface LeasedLedgerOptions {
  /**
   * Whether a process gets more credits than it needs at once, so that most decisions are made in its memory; `false`: each costs a
   * round trip to the store, and nothing lies unused.
   * @default true
   */
  readonly leases?: boolean;
  /**
   * A process that has not heard of the store for so long admits nothing; after a failure of the store nothing new is granted for
   * so long. The same in all processes. @default 3_000
   */
  readonly leaseMs?: number;
  /**
   * What a process has that is silent for so long counts as spent, for the settlement lag, and is free then; of one whose outbox
   * outlasts it, only its successor frees it. More than `leaseMs`. @default 60_000
   */
  readonly abandonMs?: number;
  /** Usage acknowledged within so long is one sum in the store, and counts for up to so much longer. @default 100 */
  readonly tickMs?: number;
  /** Time, for tests. @default the monotonic clock of the machine */
  readonly clock?: Clock;
}

const optionNames: Readonly<Record<keyof LeasedLedgerOptions, true>> = {
  leases: true,
  leaseMs: true,
  abandonMs: true,
  tickMs: true,
  clock: true,
};

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

interface NamedAccount {
  readonly service: string;
  readonly customerId: string;
  readonly currency: string;
}

class LeasedLedger implements Ledger {
  readonly id: string = crypto.randomUUID();
  readonly #store: SharedStore;
  readonly #context: LeaseContext;
  readonly #leaseMs: number;
  readonly #tickMs: number;
  /** Accounts in use: who uses one has a reference to it, and so has whatever it waits for. */
  readonly #accounts = new Map<string, WeakRef<LeasedAccount>>();
  readonly #forgotten = new FinalizationRegistry<string>((name) => {
    if (this.#accounts.get(name)?.deref() === undefined) this.#accounts.delete(name);
  });
  readonly #journals = new Set<BlockJournal>();
  readonly #names: OrganizationNames;
  #joined: LedgerTerms | undefined;
  #seq = 0;

  constructor(store: SharedStore, options: LeasedLedgerOptions) {
    this.#store = store;
    this.#leaseMs = checkNumber("leaseMs", options.leaseMs ?? 3_000, 10, day);
    this.#tickMs = checkNumber("tickMs", options.tickMs ?? 100, 1, day);
    const abandonMs = checkNumber(
      "abandonMs",
      options.abandonMs ?? Math.max(60_000, 2 * this.#leaseMs),
      this.#leaseMs,
      day,
    );
    const { clock = systemClock } = options;
    this.#names = new OrganizationNames(clock);
    const ledger = this;
    this.#context = {
      store,
      id: this.id,
      clock: checkShape("clock", clock, "a Clock", ["now", "schedule"]),
      wallClock: () => (clock.wall === undefined ? clock.now() : clock.wall()),
      leases: checkOneOf("leases", options.leases ?? true, [true, false]),
      get abandonMs() {
        return ledger.#journals.size > 0 ? null : Math.ceil(abandonMs);
      },
      get terms() {
        return ledger.#terms;
      },
      get timeoutMs() {
        return ledger.#agreed.checkTimeoutMs;
      },
      nextSeq: () => ++this.#seq,
      note: (account) => this.#note(account),
      ended: (account, processes) => this.#ended(account, processes),
    };
  }

  join({ settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, blocks }: LedgerTerms): void {
    const joined = this.#joined;
    if (blocks !== undefined) this.#journals.add(blocks);
    // Of several gates, what is right for all of them.
    this.#joined = {
      settlementLagMs: Math.max(settlementLagMs, joined?.settlementLagMs ?? 0),
      maxStaleMs: Math.min(maxStaleMs, joined?.maxStaleMs ?? maxStaleMs),
      minRefreshMs: Math.max(minRefreshMs, joined?.minRefreshMs ?? 0),
      checkTimeoutMs: Math.max(checkTimeoutMs, joined?.checkTimeoutMs ?? 0),
    };
  }

  serviceOf(client: Pick<Transport, "fingerprint">): Promise<string> {
    return this.#names.of(client, this.#agreed.checkTimeoutMs);
  }

  account(service: string, customerId: string, currency: string): Account {
    // No text can stand for two accounts.
    const name = JSON.stringify([service, customerId, currency]);
    const known = this.#accounts.get(name)?.deref();
    if (known !== undefined) return known;
    const account = new LeasedAccount(name, this.#context);
    this.#accounts.set(name, new WeakRef(account));
    this.#forgotten.register(account, name);
    return account;
  }

  async flush(giveBack: boolean): Promise<void> {
    await Promise.all([...this.#all()].map((account) => account.flush(giveBack)));
  }

  async counted(): Promise<void> {
    await Promise.all([...this.#all()].map((account) => account.counted()));
  }

  async close(): Promise<void> {
    const { clock } = this.#context;
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(closeMs, resolve);
      void this.flush(true).then(() => {
        cancel();
        resolve();
      });
    });
    for (const account of this.#all()) account.stop();
    await this.#store.close?.();
  }

  *#all(): Generator<LeasedAccount> {
    for (const reference of this.#accounts.values()) {
      const account = reference.deref();
      if (account !== undefined) yield account;
    }
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
      tickMs: Math.ceil(this.#tickMs),
    };
  }

  async #note(account: string): Promise<void> {
    for (const journal of this.#journals) {
      await journal.begin({ account, process: this.id, ...namesOf(account) });
    }
  }

  #ended(account: string, processes: readonly string[]): void {
    for (const journal of this.#journals) void end(journal, account, processes);
  }
}

/** Where it cannot be written down, a successor frees what is free already. */
async function end(journal: BlockJournal, account: string, processes: readonly string[]): Promise<void> {
  try {
    await journal.end(account, processes);
  } catch {}
}

function namesOf(account: string): NamedAccount {
  const [service, customerId, currency] = JSON.parse(account) as [string, string, string];
  return { service, customerId, currency };
}
