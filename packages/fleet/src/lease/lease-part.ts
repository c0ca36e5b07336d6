import type { NotedReservation, ReservationJournal } from "@creditgate/core/adapter";
import type { LeaseContext } from "./lease-context.ts";
import { LeasedAccount } from "./leased-account.ts";

/** What the parts of one leased ledger share. */
export type LedgerContext = Omit<LeaseContext, "id" | "abandonMs" | "note" | "ended"> & {
  /** Of a part whose usage is in no outbox that outlasts the process. */
  readonly abandonMs: number;
};

/**
 * What the gates on one outbox have of a store: to the store it is a process of its own. Its successor is the process that opens that outbox: what
 * other gates of the same process have in use is in their outboxes, and stays theirs.
 */
export class LeasePart {
  readonly #context: LeaseContext;
  /** Accounts in use: who uses one has a reference to it, and so has whatever it waits for. */
  readonly #accounts = new Map<string, WeakRef<LeasedAccount>>();
  readonly #forgotten = new FinalizationRegistry<string>((name) => {
    if (this.#accounts.get(name)?.deref() === undefined) this.#accounts.delete(name);
  });

  constructor(id: string, ledger: LedgerContext, journal: ReservationJournal | undefined) {
    const { syncs, clock, random, wallClock, leases } = ledger;
    this.#context = {
      syncs,
      id,
      clock,
      random,
      wallClock,
      leases,
      abandonMs: journal === undefined ? ledger.abandonMs : null,
      get terms() {
        return ledger.terms;
      },
      get timeoutMs() {
        return ledger.timeoutMs;
      },
      nextSeq: () => ledger.nextSeq(),
      isAlive: (other) => ledger.isAlive(other),
      report: (trouble) => ledger.report(trouble),
      note: async (account) => journal?.begin({ account, process: id, ...namesOf(account) }),
      ended: (account, processes) => void end(journal, account, processes),
    };
  }

  account(name: string): LeasedAccount {
    const known = this.#accounts.get(name)?.deref();
    if (known !== undefined) return known;
    const account = new LeasedAccount(name, this.#context);
    this.#accounts.set(name, new WeakRef(account));
    this.#forgotten.register(account, name);
    return account;
  }

  *accounts(): Generator<LeasedAccount> {
    for (const reference of this.#accounts.values()) {
      const account = reference.deref();
      if (account !== undefined) yield account;
    }
  }
}

/** Where it cannot be written down, a successor frees what is free already. */
async function end(
  journal: ReservationJournal | undefined,
  account: string,
  processes: readonly string[],
): Promise<void> {
  try {
    await journal?.end(account, processes);
  } catch {}
}

type NamedAccount = Pick<NotedReservation, "service" | "customerId" | "currency" | "budget">;

/** No text can stand for two accounts. */
export function nameOf({ service, customerId, currency, budget }: NamedAccount): string {
  return JSON.stringify([service, customerId, currency, ...(budget === undefined ? [] : [budget])]);
}

function namesOf(account: string): NamedAccount {
  const [service, customerId, currency, budget] = JSON.parse(account) as [string, string, string, string?];
  return { service, customerId, currency, ...(budget !== undefined && { budget }) };
}
