import type { Decision } from "../gate.ts";
import { FakeService } from "./fake-service.ts";
import { createManualClock, type ManualClock, microtasks } from "./manual-clock.ts";
import { createRandom, type Random } from "./random.ts";
import { drawScenario, type Scenario } from "./scenario.ts";
import { type SimulatedGate, SimulatedProcess } from "./simulated-process.ts";
import { doWork, inCredits } from "./simulated-work.ts";
import type { SimulationOptions } from "./simulation.ts";
import { Truth } from "./truth.ts";
import { createWeather, longestPassageMs, type Weather } from "./weather.ts";

/** A customer whom the service does not know. */
export const stranger = "stranger";

/** All that one seed is about: the service, the process with its gates, and what can happen to them. */
export class SimulatedWorld {
  readonly random: Random;
  readonly scenario: Scenario;
  readonly clock: ManualClock;
  readonly service: FakeService;
  readonly truth: Truth;
  readonly weather: Weather;
  readonly trace: string[] = [];
  /** The first broken promise. */
  violation: string | undefined;
  /** Requests that wait for a decision, and work whose bill is not in the outbox yet. */
  working = 0;
  requests = 0;
  admitted = 0;
  readonly #options: SimulationOptions;
  #process: SimulatedProcess;
  #steppedMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.random = createRandom(options.seed);
    this.scenario = drawScenario(this.random.fork());
    // Far more rounds than the longest chain of promises in a gate: the tests compare with a macrotask.
    this.clock = createManualClock({ drain: options.drain ?? (() => microtasks(30)) });
    this.service = new FakeService({
      clock: this.clock,
      wallets: this.scenario.wallets,
      honoursKeys: this.scenario.honoursKeys,
      price: ({ rawUsage }) => {
        const { currency = "", cost: amount = 0 } = this.truth.reportOf(rawUsage) ?? {};
        return { currency, amount };
      },
      onDebit: ({ rawUsage }) => this.truth.debited(rawUsage),
    });
    this.truth = new Truth({
      service: this.service,
      repeats: this.scenario.ambiguous === "retry" && !this.scenario.honoursKeys,
      violated: (message) => this.violated(message),
    });
    this.weather = createWeather(this.scenario, this.clock, this.random.fork());
    this.#process = this.#start();
  }

  get process(): SimulatedProcess {
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
    this.working++;
    const work = `work of request ${this.requests + 1}`;
    try {
      const decision = await this.authorize(at, customerId, hold);
      if (!decision.allowed) return;
      await doWork({
        charge: decision.charge,
        customerId,
        currency: at.currency,
        hold,
        lagMs: this.scenario.lagMs,
        clock: this.#process.clock,
        random: this.random.fork(),
        truth: this.truth,
        note: (text) => this.note(() => `  ${work}: ${text}`),
      });
    } catch (error) {
      this.violated(`a gate or a charge threw ${error}`);
    } finally {
      this.working--;
    }
  }

  /** Asks a gate, and checks that its answer rests on news as young as the rules demand. */
  async authorize({ gate, currency }: SimulatedGate, customerId: string, hold: number): Promise<Decision> {
    const process = this.#process;
    const request = `request ${++this.requests} of ${customerId}/${currency} for ${hold}`;
    const arrival = process.clock.now();
    this.note(() => request);
    const decision = await gate.authorize({
      customerId,
      agentId: "agent",
      indicator: "work",
      hold: inCredits(hold, this.random),
    });
    const news = process.newsOf(customerId);
    if (decision.allowed) {
      this.note(() => `${request}: admitted`);
      this.admitted++;
      this.truth.admitted(customerId, currency, hold, news - this.scenario.maxStaleMs);
      if (news < arrival - this.scenario.maxStaleMs)
        this.violated(`${request}: admitted on news of ${news} ms`);
      return decision;
    }
    const { status, code, available } = decision.denial;
    this.note(() => `${request}: ${status} ${code}, available ${available}`);
    if (status === 402 && news < arrival)
      this.violated(`${request}: 402 on news of ${news} ms, older than itself`);
    if (status === 402 && (code === "customer_unknown") !== (customerId === stranger)) {
      this.violated(`${request}: denied as ${code}`);
    }
    return decision;
  }

  /** Someone sets the clock of the process forward. */
  stepClock(ms: number): void {
    this.#steppedMs += ms;
    this.note(() => `the clock is set forward by ${ms} ms`);
  }

  /** The process dies with all it knows; another one starts when nothing that it sent can still be debited. */
  async crash(): Promise<void> {
    this.note(() => "crash");
    this.#process.crash();
    this.working = 0;
    await this.clock.advance(longestPassageMs);
    await this.clock.advance(this.service.quietAt - this.clock.now());
    this.service.settle();
    this.truth.writeOff();
    this.#process = this.#start();
    this.note(() => "restart");
  }

  #start(): SimulatedProcess {
    return new SimulatedProcess({
      scenario: this.scenario,
      clock: this.clock,
      service: this.service,
      truth: this.truth,
      weather: this.weather,
      random: this.random.fork(),
      lagFactor: this.#options.lagFactor ?? 1,
      stepped: () => this.#steppedMs,
      note: (text) => this.note(text),
    });
  }
}
