import { createLeasedLedger, type Ledger, type SharedStore } from "@creditgate/core";
import type { FleetClock } from "./fleet-clock.ts";
import { FleetGate, type FleetGateOptions, type FleetOutbox } from "./fleet-gate.ts";

/** What a process is connected with. */
export interface FleetProcessOptions extends Omit<FleetGateOptions, "ledger" | "outbox"> {
  readonly store: SharedStore;
  /** One for each of its gates. */
  readonly outboxes: readonly FleetOutbox[];
}

/** A process of a fleet: a ledger, and the gates on it. */
export class FleetProcess {
  readonly clock: FleetClock;
  readonly lasting: boolean;
  readonly outboxes: readonly FleetOutbox[];
  readonly #options: FleetProcessOptions;
  readonly #ledger: Ledger;
  readonly #gates: FleetGate[] = [];
  stoppedUntil: number = Number.NEGATIVE_INFINITY;

  constructor(options: FleetProcessOptions) {
    this.#options = options;
    const { scenario, clock, store, outboxes, lasting, lagFactor } = options;
    this.clock = clock;
    this.lasting = lasting;
    this.outboxes = outboxes;
    this.#ledger = createLeasedLedger(store, {
      leases: scenario.leases,
      leaseMs: scenario.leaseMs,
      abandonMs: scenario.abandonMs,
      tickMs: scenario.tickMs,
      clock,
    });
    this.#ledger.join?.({
      settlementLagMs: Math.floor(scenario.lagMs * lagFactor),
      maxStaleMs: scenario.maxStaleMs,
      minRefreshMs: 30,
      checkTimeoutMs: 1_000,
    });
  }

  /** The gates that are open. */
  get gates(): readonly FleetGate[] {
    return this.#gates;
  }

  /** A gate on the next outbox, which takes over what stands in it. */
  open(): void {
    const outbox = this.outboxes[this.#gates.length];
    if (outbox !== undefined)
      this.#gates.push(new FleetGate({ ...this.#options, ledger: this.#ledger, outbox }));
  }

  /** The one of this number, if it is open; else the first. */
  gate(index: number): FleetGate {
    const gate = this.#gates[index] ?? this.#gates[0];
    if (gate === undefined) throw new Error("a process has a gate");
    return gate;
  }

  /** The one that the store knows by this id. One that its outbox has not noted, which is a mistake, is taken for the first. */
  gateOf(id: string): FleetGate {
    return this.#gates.find((gate) => gate.id === id) ?? this.gate(0);
  }

  stop(forMs: number, sleeps: boolean): void {
    if (this.clock.isDead) return;
    for (const gate of this.#gates) gate.inUseWhenStopped = gate.inUse;
    this.stoppedUntil = this.clock.wall() + forMs;
    if (sleeps) this.clock.sleep(forMs);
    else this.clock.stop(forMs);
  }
}
