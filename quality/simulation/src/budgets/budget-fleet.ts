import type { MemoryOutboxStore } from "@creditgate/conformance";
import type { Clock, Ledger, Outbox } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import {
  createFleetOutbox,
  createLeasedLedger,
  type OutboxStore,
  type SharedStore,
  type SyncRequest,
  type SyncResponse,
} from "@creditgate/fleet";
import type { FleetClock } from "../fleet/fleet-clock.ts";
import { FleetStore } from "../fleet/fleet-store.ts";
import { sleep } from "../time.ts";

/** A lease, and the quarantine of a store that has lost its memory. */
const leaseMs = 2_000;
/** A process that is silent for less is registered within the quarantine. */
const shortMs = 600;
const losses = ["emptied", "older", "figures", "reservations", "windows"] as const;

/** A store that processes share, with an account for the wallet and one for each budget, and the network to it. */
export class BudgetFleet {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #accounts = new Map<string, FleetStore>();
  readonly #cut = new Set<FleetClock>();
  readonly #netMs: number;
  readonly #isLossy: boolean;
  readonly #losesMemory: boolean;
  isQuiet = false;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#netMs = random.integer(1, 40);
    this.#isLossy = random.chance(0.4);
    this.#losesMemory = random.chance(0.5);
  }

  ledger(clock: FleetClock): Ledger {
    const store: SharedStore = { exchange: (account, request) => this.#send(clock, account, request) };
    return createLeasedLedger(store, {
      clock,
      leaseMs,
      leases: this.#random.chance(0.8),
      random: () => this.#random.next(),
    });
  }

  /** What happens to processes and to the store, one of these now and then. */
  strike(clock: FleetClock): void {
    const random = this.#random;
    const forMs = random.integer(50, this.#losesMemory ? shortMs : 8_000);
    if (random.chance(0.03)) clock.stop(forMs);
    if (random.chance(0.01)) clock.sleep(forMs);
    if (random.chance(0.03)) this.#cutOff(clock, forMs);
    if (this.#losesMemory && random.chance(0.02)) this.#loseMemory();
  }

  #cutOff(clock: FleetClock, forMs: number): void {
    this.#cut.add(clock);
    this.#clock.schedule(forMs, () => this.#cut.delete(clock));
  }

  #loseMemory(): void {
    const random = this.#random;
    const loss = random.pick(losses);
    const behindMs = random.integer(1, 700);
    const skewMs = random.integer(-300, 300);
    const stores = () => this.#accounts.values();
    if (loss !== "older") {
      for (const store of stores())
        if (loss === "emptied") store.empty();
        else store.lose(loss);
      return;
    }
    for (const store of stores()) store.copy(41);
    this.#clock.schedule(800, () => {
      for (const store of stores()) store.fallBack(behindMs, skewMs);
    });
  }

  #send(clock: FleetClock, account: string, request: SyncRequest): Promise<SyncResponse> {
    const random = this.#random;
    const later = (ms: number, run: () => void) => this.#clock.schedule(ms, run);
    // A decision by new balances takes some ten exchanges, one after the other, of the second that it waits.
    const netMs = () => random.integer(1, this.isQuiet ? Math.min(10, this.#netMs) : this.#netMs);
    return new Promise((resolve, reject) => {
      const cancel = later(4 * this.#netMs + 10, () => clock.deliver(() => reject(new Error("no answer"))));
      if (this.#cut.has(clock)) return;
      const step = () => this.#store(account).exchange(request);
      // Some are said twice.
      if (this.#fails()) later(netMs() + random.integer(1, 6_000), step);
      if (this.#fails()) return;
      later(netMs(), () => {
        const answer = step();
        if (this.#fails()) return;
        later(netMs(), () => {
          if (this.#cut.has(clock)) return;
          cancel();
          clock.deliver(() => resolve(answer));
        });
      });
    });
  }

  #fails(): boolean {
    return this.#isLossy && !this.isQuiet && this.#random.chance(0.05);
  }

  #store(account: string): FleetStore {
    const store = this.#accounts.get(account) ?? new FleetStore(this.#clock, false, true, 0);
    this.#accounts.set(account, store);
    return store;
  }
}

/** An outbox of a process and its successors, in a store of its own, which a dead process does not reach. */
export function openOutbox(store: MemoryOutboxStore, clock: FleetClock): Outbox {
  const reach =
    <Args extends unknown[], T>(step: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await sleep(clock, 1);
      return step(...args);
    };
  const reached: OutboxStore = {
    heartbeat: reach((heartbeat) => store.heartbeat(heartbeat)),
    write: reach((step) => store.write(step)),
    read: reach((...place) => store.read(...place)),
    takeRequests: reach((id) => store.takeRequests(id)),
    list: (after) => store.list(after),
    request: (requests) => store.request(requests),
  };
  return createFleetOutbox(reached, { process: "one", clock });
}
