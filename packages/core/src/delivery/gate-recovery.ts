import { isCreditgateError } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Customers } from "../registry/customers.ts";
import { type PendingRecovery, Recoveries } from "../registry/recoveries.ts";
import type { Clock } from "../values/clock.ts";
import { deliveryPauseMs } from "./back-off.ts";
import type { Recovered } from "./delivery.ts";
import { HandOver, type RecoverySettings } from "./recovery.ts";

/** What a {@link GateRecovery} needs. */
export interface GateRecoveryOptions {
  readonly settings: RecoverySettings & {
    readonly registry: { recoveries: Recoveries | undefined };
    readonly clock: Clock;
    readonly random: () => number;
  };
  readonly events: GateEvents;
  /** What the service is called in the ledger. */
  nameOf(): Promise<string>;
  /** The wallets of the service of this name. Throws for misuse. */
  customersOf(service: string): Customers;
  /** The remainder is in the ledger. Called again for what is taken over later. */
  done(customers: Customers, recovered: Recovered): void;
}

/**
 * The recovery of one gate's outbox. It begins when the gate is created, and is retried as long as it fails. A client
 * without a key does not know its service: it is asked again when the gate is used, and delays only its own gate.
 */
export class GateRecovery {
  readonly #options: GateRecoveryOptions;
  readonly #recoveries: Recoveries;
  readonly #handOver: HandOver;
  readonly #pending: PendingRecovery = { service: undefined, failed: false };
  #running: Promise<void> | undefined;
  #cancelRetry = () => {};
  #failures = 0;
  #over = false;
  #cancelHeartbeat = () => {};
  /** The failure of the last heartbeat has been emitted. */
  #isFailureReported = false;
  #isStopped = false;

  constructor(options: GateRecoveryOptions) {
    this.#options = options;
    options.settings.registry.recoveries ??= new Recoveries();
    this.#recoveries = options.settings.registry.recoveries;
    this.#handOver = new HandOver(options.settings, options.events);
    void this.run();
  }

  /** Tries at once; resolves when it has succeeded, or failed once more. Never rejects. */
  run(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#cancelRetry();
    this.#running ??= this.#try().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** The gate is in use: what could not begin begins. One that has failed waits for its next try. */
  wake(): void {
    if (!this.#pending.failed) void this.run();
  }

  /** It is not tried again, and keeps no gate waiting. Nothing more is taken over. */
  stop(): void {
    this.#over = true;
    this.#isStopped = true;
    this.#cancelRetry();
    this.#cancelHeartbeat();
    this.#recoveries.end(this.#pending);
  }

  async #try(): Promise<void> {
    const { settings, events, done } = this.#options;
    this.#recoveries.begin(this.#pending);
    try {
      const customers = await this.#findCustomers();
      if (customers === undefined || this.#over) return this.#recoveries.end(this.#pending);
      const recovered = await this.#handOver.recover(customers);
      if (this.#over) return;
      this.#over = true;
      done(customers, recovered);
      this.#recoveries.end(this.#pending);
      this.#scheduleHeartbeat(customers);
    } catch (error) {
      if (this.#over) return;
      events.emit("degraded", { what: "recovery", error });
      const delayMs = deliveryPauseMs(++this.#failures, settings.random);
      this.#cancelRetry = settings.clock.schedule(delayMs, () => void this.run(), { idle: true });
      this.#recoveries.fail(this.#pending);
    }
  }

  #scheduleHeartbeat(customers: Customers): void {
    const { clock, outbox } = this.#options.settings;
    if (outbox.fleet === undefined || this.#isStopped) return;
    this.#cancelHeartbeat = clock.schedule(outbox.fleet.heartbeatMs, () => void this.#heartbeat(customers), {
      idle: true,
    });
  }

  async #heartbeat(customers: Customers): Promise<void> {
    const { events, done } = this.#options;
    try {
      const recovered = await this.#handOver.takeOver(customers);
      this.#isFailureReported = false;
      if (recovered !== undefined) done(customers, recovered);
    } catch (error) {
      if (!this.#isFailureReported && !this.#isStopped) events.emit("degraded", { what: "outbox", error });
      this.#isFailureReported = true;
    }
    this.#scheduleHeartbeat(customers);
  }

  /** `undefined` if an option is missing or wrong: the first use of the gate meets the same error, and reports it. */
  async #findCustomers(): Promise<Customers | undefined> {
    const { nameOf, customersOf } = this.#options;
    try {
      const name = await nameOf();
      this.#recoveries.concerns(this.#pending, name);
      return customersOf(name);
    } catch (error) {
      if (isCreditgateError(error) && error.code === "invalid_option") return undefined;
      throw error;
    }
  }
}
