import type { Decision } from "@creditgate/core";
import {
  createManualClock,
  createRandom,
  type ManualClock,
  microtasks,
  type Random,
} from "@creditgate/core/testing";
import { doAbortedWork } from "./aborted-work.ts";
import { GateProcess, type SimulatedGate } from "./gate-process.ts";
import { toMicro } from "./micro.ts";
import { createNetwork, longestPassageMs, type Network } from "./network.ts";
import { OutboxFile } from "./outbox-file.ts";
import { drawScenario, type Scenario } from "./scenario.ts";
import { FakeService } from "./service/fake-service.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { Truth } from "./truth.ts";
import { doWork, inCredits } from "./work.ts";

/** When the grace is over, a lasting outbox may take for this long what it was being given. */
const handOverMs = 1_000;

/** A customer whom the service does not know. */
export const unknownCustomer = "unknown";

/** What one seed simulates: the service, the process with its gates, and what can happen to them. */
export class World {
  readonly random: Random;
  readonly scenario: Scenario;
  readonly clock: ManualClock;
  readonly service: FakeService;
  readonly truth: Truth;
  readonly network: Network;
  readonly trace: string[] = [];
  /** The first broken promise. */
  violation: string | undefined;
  requests = 0;
  admitted = 0;
  restarts = 0;
  readonly #options: SimulationOptions;
  #files: readonly OutboxFile[];
  #process: GateProcess;
  #steppedMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.random = createRandom(options.seed);
    this.scenario = { ...drawScenario(this.random.fork()), ...options.scenario };
    // Far more rounds than the longest chain of promises in a gate: the tests compare with a macrotask.
    this.clock = createManualClock({ drain: options.drain ?? (() => microtasks(100)) });
    const prices = this.random.fork();
    this.service = new FakeService({
      clock: this.clock,
      wallets: this.scenario.wallets,
      honoursKeys: this.scenario.honoursKeys,
      memoMs: this.scenario.memoMs,
      price: ({ rawUsage }) => this.truth.costOf(rawUsage, this.scenario.pricesChange ? prices : undefined),
      onAccepted: ({ rawUsage }, cost) => this.truth.accepted(rawUsage, cost),
      onDebit: ({ rawUsage }, cost) => this.truth.debited(rawUsage, cost),
    });
    this.truth = new Truth({
      service: this.service,
      now: () => this.clock.now(),
      repeats: this.scenario.ambiguous === "retry" && !this.scenario.honoursKeys,
      violated: (message) => this.violated(message),
    });
    this.network = createNetwork(this.scenario, this.clock, this.random.fork());
    this.#files = this.#createFiles();
    this.#process = this.#start();
  }

  get process(): GateProcess {
    return this.#process;
  }

  note(text: () => string): void {
    if (this.#options.trace === true)
      this.trace.push(`${String(this.clock.now()).padStart(6)} ms  ${text()}`);
  }

  violated(message: string): void {
    this.note(() => `VIOLATION: ${message}`);
    this.violation ??= message;
  }

  /** A request arrives; if it is let in, its work is done. */
  async serve(at: SimulatedGate, customerId: string, hold: number): Promise<void> {
    const process = this.#process;
    process.working++;
    const work = `work of request ${this.requests + 1}`;
    try {
      const least = hold > 1 && this.random.chance(0.2) ? this.random.integer(1, hold - 1) : hold;
      const decision = await this.authorize(at, customerId, hold, least);
      if (!decision.allowed) return;
      const does = this.random.chance(0.15) ? doAbortedWork : doWork;
      await does({
        charge: decision.charge,
        customerId,
        currency: at.currency,
        hold: toMicro(decision.charge.held),
        extended: (more) => this.#extended(at, customerId, more),
        scenario: this.scenario,
        clock: process.clock,
        instant: () => this.clock.now(),
        random: this.random.fork(),
        truth: this.truth,
        note: (text) => this.note(() => `  ${work}: ${text}`),
        violated: (message) => this.violated(message),
        closing: () => process.closing,
        again: () => void this.serve(at, customerId, hold),
      });
    } catch (error) {
      // A gate that has closed gives up what its outbox does not take.
      if (!process.closing) this.violated(`a gate or a charge threw ${error}`);
    } finally {
      process.working--;
    }
  }

  /** Asks a gate, that may hold less but not less than the least, and checks that its answer rests on a balance as young as the rules demand. */
  async authorize(
    { gate, currency }: SimulatedGate,
    customerId: string,
    hold: number,
    least: number = hold,
  ): Promise<Decision> {
    const process = this.#process;
    const up = least < hold ? `${least} to ` : "";
    const request = `request ${++this.requests} of ${customerId}/${currency} for ${up}${hold}`;
    const arrival = process.clock.now();
    this.note(() => request);
    const decision = await gate.authorize({
      customerId,
      agentId: "agent",
      indicator: "work",
      hold:
        least < hold
          ? { min: inCredits(least, this.random), max: inCredits(hold, this.random) }
          : inCredits(hold, this.random),
    });
    const refreshed = process.refreshedAt(customerId);
    if (decision.allowed) {
      this.note(() => `${request}: admitted`);
      this.admitted++;
      const known = refreshed - this.scenario.maxStaleMs - this.scenario.memoMs;
      const held = toMicro(decision.charge.held);
      if (held < least || held > hold) this.violated(`${request}: holds ${held}`);
      this.truth.admitted(customerId, currency, held, known);
      if (refreshed < arrival - this.scenario.maxStaleMs)
        this.violated(`${request}: admitted on news of ${refreshed} ms`);
      return decision;
    }
    const { status, code, available } = decision.denial;
    this.note(() => `${request}: ${status} ${code}, available ${available}`);
    if (status === 402 && refreshed < arrival)
      this.violated(`${request}: 402 on news of ${refreshed} ms, older than itself`);
    if (status === 402 && (code === "customer_unknown") !== (customerId === unknownCustomer)) {
      this.violated(`${request}: denied as ${code}`);
    }
    return decision;
  }

  /** Work goes on with so much more. */
  #extended({ currency }: SimulatedGate, customerId: string, more: number): void {
    const { maxStaleMs, memoMs } = this.scenario;
    this.truth.admitted(
      customerId,
      currency,
      more,
      this.#process.refreshedAt(customerId) - maxStaleMs - memoMs,
    );
  }

  /** Sets the clock of the process forward. */
  stepClock(ms: number): void {
    this.#steppedMs += ms;
    this.note(() => `the clock is set forward by ${ms} ms`);
  }

  /**
   * The process ends, by a crash or after it has tried to close, and another one starts, at once or later. Requests
   * may still be under way, and accepted usage may not be debited yet.
   */
  async restart(): Promise<void> {
    const old = this.#process;
    const graceMs = this.random.chance(0.5)
      ? this.random.integer(0, this.random.pick([0, 300, 10_000]))
      : undefined;
    this.restarts++;
    if (graceMs !== undefined) await this.#close(old, graceMs);
    this.note(() => "the process ends");
    old.end();
    if (!this.scenario.durable) {
      this.#files = this.#createFiles();
      // A process that knows of no earlier usage cannot do with balances from before its start.
      this.service.forgetMemos();
    }
    this.service.settle();
    // Not only what the process has asked its outbox to remember.
    const left = new Set(
      this.#files.flatMap(({ stored }) => stored.map(({ rawUsage }) => rawUsage.inputTokens)),
    );
    this.truth.restarted(
      ({ number }) => left.has(number),
      this.network.alwaysExtended && this.scenario.memoMs === 0,
    );
    await this.clock.advance(this.random.pick([0, 0, 100, this.scenario.lagMs, longestPassageMs]));
    this.#process = this.#start();
    this.note(() => "another one starts");
  }

  async #close(process: GateProcess, graceMs: number): Promise<void> {
    this.note(() => `the process closes within ${graceMs} ms`);
    let closed = false;
    const closing = process.close(graceMs).then(() => {
      closed = true;
    });
    closing.catch((error: unknown) => this.violated(`close() threw ${error}`));
    await this.clock.advance(graceMs + this.scenario.resolutionMs);
    if (!closed && this.scenario.durable) await this.clock.advance(handOverMs);
    if (!closed) this.violated("close() outlived its grace");
  }

  #createFiles(): readonly OutboxFile[] {
    return this.scenario.gates.map(() => new OutboxFile(this.clock));
  }

  #start(): GateProcess {
    return new GateProcess({
      scenario: this.scenario,
      clock: this.clock,
      service: this.service,
      truth: this.truth,
      network: this.network,
      random: this.random.fork(),
      files: this.#files,
      lagFactor: this.#options.lagFactor ?? 1,
      stepped: () => this.#steppedMs,
      note: (text) => this.note(text),
    });
  }
}
