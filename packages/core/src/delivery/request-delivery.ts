import type { Delivery } from "./delivery.ts";
import { createMemoryOutbox } from "./memory-outbox.ts";
import type { OutboxReport, OutboxStatus } from "./outbox.ts";
import { type DeliveryOptions, OutboxDelivery } from "./outbox-delivery.ts";
import type { Report } from "./report.ts";

/**
 * Delivers the reports of each piece of work within its `release()`: for isolates, which may not work outside of a request
 * nor share a connection between two. What is left when the time is over is given up.
 */
export class RequestDelivery implements Delivery {
  readonly full = false;
  readonly #options: DeliveryOptions;
  readonly #timeoutMs: number;
  readonly #working = new Map<OutboxDelivery, readonly Report[]>();
  #stopped = false;

  constructor(options: DeliveryOptions, timeoutMs: number) {
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  get sending(): readonly OutboxReport[] {
    return [];
  }

  store(): void {}

  async release(reports: readonly Report[]): Promise<readonly OutboxReport[]> {
    const delivery = new OutboxDelivery({ ...this.#options, outbox: createMemoryOutbox() });
    this.#working.set(delivery, reports);
    try {
      if (this.#stopped) delivery.stop();
      delivery.store(reports);
      delivery.release(reports);
      await delivery.flush(this.#timeoutMs);
    } finally {
      delivery.stop();
      this.#working.delete(delivery);
    }
    return reports.filter(({ isAcknowledged }) => !isAcknowledged);
  }

  start(): void {}

  hurry(): void {
    for (const delivery of this.#working.keys()) delivery.hurry();
  }

  async flush(): Promise<OutboxStatus> {
    const left = [...this.#working.values()].flat().filter(({ isAcknowledged }) => !isAcknowledged);
    return { queued: left.length, parked: 0, dead: 0 };
  }

  stop(): void {
    this.#stopped = true;
    for (const delivery of this.#working.keys()) delivery.stop();
  }
}
