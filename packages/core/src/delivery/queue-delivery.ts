import type { Awaitable } from "../wallet/ledger.ts";
import type { Reporter } from "./delivery.ts";
import type { OutboxReport, OutboxStatus } from "./outbox.ts";
import type { UsageQueue } from "./usage-queue.ts";

interface QueueReporterOptions {
  readonly queue: UsageQueue;
  acknowledge(report: OutboxReport): Awaitable<void>;
}

/**
 * Hands reports to a queue. Nobody hears here when its consumer delivers them: the settlement lag counts from the
 * queue's acceptance, and has to cover the time that they spend in it.
 */
export class QueueReporter implements Reporter {
  readonly full = false;
  readonly #options: QueueReporterOptions;
  #onTheirWay = 0;

  constructor(options: QueueReporterOptions) {
    this.#options = options;
  }

  async take(
    reports: readonly OutboxReport[],
    record: () => Awaitable<void>,
  ): Promise<readonly OutboxReport[]> {
    const { queue, acknowledge } = this.#options;
    this.#onTheirWay += reports.length;
    try {
      await queue.send(reports);
      await queue.flush();
    } finally {
      this.#onTheirWay -= reports.length;
    }
    await record();
    for (const report of reports) await acknowledge(report);
    return [];
  }

  start(): void {}

  hurry(): void {}

  async flush(): Promise<OutboxStatus> {
    return { queued: this.#onTheirWay, parked: 0, dead: 0 };
  }

  stop(): void {}
}
