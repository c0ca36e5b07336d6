import { endpoints, type Transport } from "@creditgate/client";
import type { Clock } from "./clock.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";
import type { GateEvents } from "./events.ts";
import type { Awaitable } from "./ledger.ts";
import type { Outbox, OutboxReport, OutboxStatus } from "./outbox.ts";

/** What becomes of a report that may have been processed: told by the service's answers, or decided beforehand. */
export type Ambiguous = "auto" | "park" | "retry";

interface ReporterOptions {
  readonly client: Pick<Transport, "send">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ambiguous: Ambiguous;
  readonly concurrency: number;
  readonly events: GateEvents;
  acknowledge(report: OutboxReport): Awaitable<void>;
}

const firstBackoffMs = 500;
const longestBackoffMs = 60_000;

/** Drains the outbox to the service (API 4.2): at once while it takes reports, ever more slowly while it does not. */
export class UsageReporter {
  readonly #options: ReporterOptions;
  readonly #inFlight = new Set<string>();
  /** In the outbox, but not yet in the ledger: no acknowledgement may come before its entry. */
  readonly #unrecorded = new Set<string>();
  readonly #watchers = new Set<() => void>();
  /** Cancels the timer that ends the pause; `undefined` while there is none. */
  #pause: (() => void) | undefined;
  #failures = 0;
  #honoursKeys = false;
  #draining = false;
  #again = false;
  #stopped = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /**
   * Makes the reports durable, has the ledger record them, and only then lets them go. When it rejects, nothing is
   * sent; the same reports may be brought again.
   */
  async take(reports: readonly OutboxReport[], record: () => Awaitable<void>): Promise<void> {
    for (const { id } of reports) this.#unrecorded.add(id);
    await this.#options.outbox.append(reports);
    await record();
    for (const { id } of reports) this.#unrecorded.delete(id);
    void this.#drain();
  }

  /** Tries at once, and resolves when nothing is queued any more or `timeoutMs` have passed. */
  flush(timeoutMs: number): Promise<OutboxStatus> {
    const { outbox, clock } = this.#options;
    this.#resume();
    return new Promise((resolve, reject) => {
      const finish = () => {
        cancel();
        this.#watchers.delete(look);
        outbox.status().then(resolve, reject);
      };
      const look = () => {
        outbox.status().then(({ queued }) => queued === 0 && this.#inFlight.size === 0 && finish(), finish);
      };
      const cancel = clock.schedule(timeoutMs, finish);
      this.#watchers.add(look);
      look();
    });
  }

  /** Sends nothing more. What is queued stays in the outbox. */
  stop(): void {
    this.#stopped = true;
    this.#pause?.();
  }

  async #drain(): Promise<void> {
    this.#again = true;
    if (this.#draining) return;
    this.#draining = true;
    try {
      while (this.#again) {
        this.#again = false;
        for (const report of await this.#due()) void this.#deliver(report);
      }
    } catch (error) {
      this.#backOff(error, undefined);
    } finally {
      this.#draining = false;
    }
  }

  async #due(): Promise<readonly OutboxReport[]> {
    if (this.#stopped || this.#pause !== undefined) return [];
    // After a failure one report probes the service; the others wait for its answer.
    const room = (this.#failures > 0 ? 1 : this.#options.concurrency) - this.#inFlight.size;
    if (room <= 0) return [];
    const due = await this.#options.outbox.next(
      room,
      (id) => !this.#inFlight.has(id) && !this.#unrecorded.has(id),
    );
    for (const { id } of due) this.#inFlight.add(id);
    return due;
  }

  async #deliver(report: OutboxReport): Promise<void> {
    try {
      await this.#conclude(report, await this.#attempt(report));
    } catch (error) {
      // The outbox or the ledger failed. The report is still queued, and its key keeps it from counting twice.
      this.#backOff(error, undefined);
    } finally {
      this.#inFlight.delete(report.id);
      void this.#drain();
      for (const look of [...this.#watchers]) look();
    }
  }

  async #attempt(report: OutboxReport): Promise<Delivery> {
    const { customerId, agentId, indicator, rawUsage } = report;
    try {
      const answer = await this.#options.client.send(
        endpoints.usageReport,
        { body: { agentId, customerId, indicator, rawUsage } },
        { idempotencyKey: report.id, retries: 0 },
      );
      return { outcome: "delivered", honoursKeys: answer.idempotencyKey === report.id };
    } catch (error) {
      return deliveryOf(error);
    }
  }

  async #conclude(report: OutboxReport, delivery: Delivery): Promise<void> {
    const { outbox, events } = this.#options;
    switch (delivery.outcome) {
      case "delivered":
        await this.#options.acknowledge(report);
        await outbox.delivered(report.id);
        this.#failures = 0;
        if (delivery.honoursKeys && !this.#honoursKeys) {
          this.#honoursKeys = true;
          if (this.#options.ambiguous === "auto") await outbox.unpark();
        }
        return;
      case "ambiguous":
        if (!this.#mayRepeat()) {
          await outbox.park(report.id, String(delivery.error));
          events.emit("parked", { report, error: delivery.error });
          this.#backOff(delivery.error, delivery.retryAfterMs);
          return;
        }
        await outbox.requeue(report.id);
        this.#backOff(delivery.error, delivery.retryAfterMs);
        return;
      case "unprocessed":
        await outbox.requeue(report.id);
        this.#backOff(delivery.error, delivery.retryAfterMs);
        return;
      case "refused":
        await outbox.requeue(report.id);
        this.#backOff(delivery.error, longestBackoffMs);
        return;
      case "undeliverable":
        await outbox.bury(report.id, String(delivery.error));
        events.emit("dead", { report, error: delivery.error });
        return;
    }
  }

  #mayRepeat(): boolean {
    const { ambiguous } = this.#options;
    return ambiguous === "retry" || (ambiguous === "auto" && this.#honoursKeys);
  }

  #backOff(error: unknown, delayMs: number | undefined): void {
    const { clock, events, random } = this.#options;
    if (this.#failures === 0) events.emit("degraded", { what: "delivery", error });
    // Full jitter: gates that failed together do not come back together.
    const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** this.#failures) * random();
    this.#failures++;
    this.#pause?.();
    if (!this.#stopped) this.#pause = clock.schedule(delayMs ?? backoffMs, () => this.#resume());
  }

  #resume(): void {
    this.#pause?.();
    this.#pause = undefined;
    void this.#drain();
  }
}
