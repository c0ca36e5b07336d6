import type { Awaitable } from "../wallet/ledger.ts";
import type { Reporter } from "./delivery.ts";
import { createMemoryOutbox } from "./memory-outbox.ts";
import type { OutboxReport, OutboxStatus } from "./outbox.ts";
import { type ReporterOptions, UsageReporter } from "./outbox-delivery.ts";

interface RequestReporterOptions extends Omit<ReporterOptions, "outbox"> {
  /** Tries no longer. */
  readonly timeoutMs: number;
}

/**
 * Delivers the reports of each piece of work within its `take()`: for isolates, which may not work outside of a request
 * nor share a connection between two. What is left when the time is over, nobody delivers.
 */
export class RequestReporter implements Reporter {
  readonly full = false;
  readonly #options: RequestReporterOptions;
  readonly #working = new Map<UsageReporter, ReadonlyMap<string, OutboxReport>>();
  #stopped = false;

  constructor(options: RequestReporterOptions) {
    this.#options = options;
  }

  async take(
    reports: readonly OutboxReport[],
    record: () => Awaitable<void>,
  ): Promise<readonly OutboxReport[]> {
    const left = new Map(reports.map((report) => [report.id, report]));
    const reporter = new UsageReporter({
      ...this.#options,
      outbox: createMemoryOutbox(),
      acknowledge: (report) => {
        left.delete(report.id);
        return this.#options.acknowledge(report);
      },
    });
    this.#working.set(reporter, left);
    try {
      if (this.#stopped) reporter.stop();
      await reporter.take(reports, record);
      await reporter.flush(this.#options.timeoutMs);
    } finally {
      reporter.stop();
      this.#working.delete(reporter);
    }
    return [...left.values()];
  }

  start(): void {}

  hurry(): void {
    for (const reporter of this.#working.keys()) reporter.hurry();
  }

  async flush(): Promise<OutboxStatus> {
    const counts = Array.from(this.#working.values(), ({ size }) => size);
    return { queued: counts.reduce((sum, count) => sum + count, 0), parked: 0, dead: 0 };
  }

  stop(): void {
    this.#stopped = true;
    for (const reporter of this.#working.keys()) reporter.stop();
  }
}
