import {
  createGate,
  createRegistry,
  type Gate,
  type OutboxReport,
  type Registry,
  type Usage,
  type WalletKind,
} from "@creditgate/core";
import type { ManualClock, Random } from "@creditgate/core/testing";
import { fromMicro } from "./micro.ts";
import type { Network } from "./network.ts";
import type { OutboxFile } from "./outbox-file.ts";
import { createProcessClock, type ProcessClock } from "./process-clock.ts";
import type { Scenario } from "./scenario.ts";
import { createFakeClient, type FakeClient } from "./service/fake-client.ts";
import type { FakeService } from "./service/fake-service.ts";
import { createSlowOutbox } from "./slow-outbox.ts";
import type { Truth } from "./truth.ts";

/** What a process runs on. */
export interface ProcessOptions {
  readonly scenario: Scenario;
  readonly clock: ManualClock;
  readonly service: FakeService;
  readonly truth: Truth;
  readonly network: Network;
  readonly random: Random;
  /** What the outbox of each gate keeps. */
  readonly files: readonly OutboxFile[];
  /** The lag in the gates' options, as a share of the real one. */
  readonly lagFactor: number;
  /** How far the clock of the process has been stepped forward. */
  readonly stepped: () => number;
  readonly note: (text: () => string) => void;
}

/** A gate, its currency, and what it depends on. */
export interface SimulatedGate {
  readonly gate: Gate;
  readonly currency: string;
  readonly client: FakeClient;
  readonly file: OutboxFile;
}

/** One process: gates on one registry, and a memory that is lost when it ends. */
export class GateProcess {
  readonly clock: ProcessClock;
  readonly gates: readonly SimulatedGate[];
  /** Requests that wait for a decision, and work whose bill is not in the outbox yet. */
  working = 0;
  closing = false;
  /** When the youngest balance that has come in was asked for. */
  readonly #refreshed = new Map<string, number>();

  constructor(options: ProcessOptions) {
    const { scenario, clock, stepped, files } = options;
    const { resolutionMs } = scenario;
    const now = () => clock.now() + stepped();
    // A coarse clock does not say how coarse it is.
    const coarse = { resolutionMs: undefined, now: () => Math.floor(now() / resolutionMs) * resolutionMs };
    this.clock = createProcessClock(
      clock,
      resolutionMs > 0 ? coarse : { resolutionMs: clock.resolutionMs, now },
    );
    const registry = createRegistry();
    this.gates = files.map((file, index) => {
      const currency = scenario.gates[index] ?? scenario.gates[0];
      return this.#createGate(currency, file, registry, options);
    });
  }

  /** Requests on their way. */
  get inFlight(): number {
    return this.gates.reduce((sum, { client }) => sum + client.inFlight, 0);
  }

  refreshedAt(customerId: string): number {
    return this.#refreshed.get(customerId) ?? Number.NEGATIVE_INFINITY;
  }

  /** Reports that are in no queue any more, and have not been delivered. */
  *stuck(): Generator<OutboxReport> {
    for (const { file } of this.gates) {
      yield* file.parked;
      yield* file.dead;
    }
  }

  get queued(): number {
    return this.gates.reduce((sum, { file }) => sum + file.status.queued, 0);
  }

  /** Admits no more work, and gives up after `graceMs`. Resolves when all its gates have closed. */
  async close(graceMs: number): Promise<void> {
    this.closing = true;
    await Promise.all(this.gates.map(({ gate }) => gate.close({ graceMs })));
  }

  /** Ends the process: what is not durable is lost. */
  end(): void {
    this.clock.end();
    for (const { file } of this.gates) file.lose();
  }

  #createClient({ scenario, clock, service, network, truth, note }: ProcessOptions): FakeClient {
    return createFakeClient({
      service,
      clock,
      processClock: this.clock,
      lagMs: scenario.lagMs,
      batchLimit: scenario.extended.batch,
      batchFate: (reports) => network.batchFate(reports),
      passage(request) {
        const passage = network.passage(request);
        const { fault = "fine", outMs, backMs, extended } = passage;
        const told = extended ? "extended" : "does not tell";
        note(() => `  a ${request} request is sent: ${fault}, ${outMs} ms out, ${backMs} ms back, ${told}`);
        return passage;
      },
      onRefused: ({ rawUsage }) => truth.refused(rawUsage),
      onRefresh: (customerId, sentAt) =>
        this.#refreshed.set(customerId, Math.max(sentAt, this.refreshedAt(customerId))),
    });
  }

  #createGate(
    currency: string,
    file: OutboxFile,
    registry: Registry,
    options: ProcessOptions,
  ): SimulatedGate {
    const { scenario, truth, random } = options;
    const outbox = createSlowOutbox({
      clock: this.clock,
      file,
      durable: scenario.durable,
      nextAppend: () => ({
        delayMs: random.integer(0, scenario.appendMs),
        fails: random.chance(scenario.appendFailureRate),
      }),
      onAppend: (reports) => {
        for (const { rawUsage } of reports) truth.billing(truth.reportOf(rawUsage));
      },
      onAppended: (reports) => {
        for (const { rawUsage } of reports) truth.lateFiled(truth.reportOf(rawUsage));
      },
    });
    const client = this.#createClient(options);
    const gate = createGate({
      client,
      currency,
      wallet: scenario.optionWallet ? (customerId) => kindOf(scenario, customerId, currency) : undefined,
      price: scenario.optionPrice ? (usage) => listedPrice(usage, truth) : undefined,
      settlementLagMs: (scenario.lagMs + scenario.memoMs) * options.lagFactor,
      ttlMs: scenario.ttlMs,
      maxStaleMs: scenario.maxStaleMs,
      minRefreshMs: scenario.minRefreshMs,
      checkTimeoutMs: scenario.checkTimeoutMs,
      // Faults are part of a simulation: they would only fill the log.
      logger: false,
      maxCustomers: scenario.max,
      outbox,
      ambiguous: scenario.ambiguous,
      concurrency: scenario.concurrency,
      clock: this.clock,
      random: random.next,
      registry,
    });
    return { gate, currency, client, file };
  }
}

function listedPrice(usage: Usage, truth: Truth): number | undefined {
  const listed = usage.plan === "listed" ? truth.reportOf(usage) : undefined;
  return listed === undefined ? undefined : fromMicro(listed.recorded);
}

function kindOf({ wallets }: Scenario, customerId: string, currency: string): WalletKind {
  const found = wallets.find((wallet) => wallet.customerId === customerId && wallet.currency === currency);
  return found?.kind ?? "prepaid";
}
