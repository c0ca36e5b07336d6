import type { Ledger } from "@creditgate/core";
import { createLeasedLedger, type FleetOutbox, type SharedStore } from "@creditgate/fleet";
import type { FleetClock } from "./fleet-clock.ts";
import { FleetGate, type FleetGateOptions } from "./fleet-gate.ts";
import type { OutboxHome } from "./outbox-home.ts";

/** What a process is connected with. */
export interface FleetProcessOptions extends Omit<FleetGateOptions, "ledger" | "outbox"> {
  readonly store: SharedStore;
  /** Of the outboxes of its gates. */
  readonly homes: readonly OutboxHome[];
  /** Opens the outbox that is kept there. */
  openOutbox(home: OutboxHome): FleetOutbox;
  /** Whether its outboxes outlast it. */
  readonly durable: boolean;
  /** Chance: from 0 up to 1. */
  readonly random: () => number;
}

/** A process of a fleet: a ledger, and the gates on it. */
export class FleetProcess {
  readonly clock: FleetClock;
  readonly durable: boolean;
  readonly homes: readonly OutboxHome[];
  readonly #options: FleetProcessOptions;
  readonly #ledger: Ledger;
  readonly #gates: FleetGate[] = [];
  stoppedUntil: number = Number.NEGATIVE_INFINITY;

  constructor(options: FleetProcessOptions) {
    this.#options = options;
    const { scenario, clock, store, homes, durable, random, lagFactor } = options;
    this.clock = clock;
    this.durable = durable;
    this.homes = homes;
    this.#ledger = createLeasedLedger(store, {
      leases: scenario.leases,
      leaseMs: scenario.leaseMs,
      abandonMs: scenario.abandonMs,
      windowMs: scenario.windowMs,
      clock,
      random,
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
    const home = this.homes[this.#gates.length];
    if (home === undefined) return;
    const outbox = this.durable ? this.#options.openOutbox(home) : undefined;
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
