import type { OutboxReport, OutboxStatus } from "../outbox/outbox.ts";
import type { Entry, Report } from "../outbox/report.ts";
import type { Delivered, DeliveryFailure } from "../service/outcome.ts";
import { deliveryPauseMs } from "./back-off.ts";
import type { Delivery } from "./delivery.ts";
import { type Ambiguous, type DeliveryOptions, mayRepeat } from "./delivery-options.ts";
import { learnFrom } from "./usage-post.ts";

/**
 * Delivers the reports of each piece of work within its `release()`: for isolates, which may not work outside of a
 * request nor share a connection between two. After the time limit the remaining reports are given up.
 */
export class RequestDelivery implements Delivery {
  readonly refusal = undefined;
  readonly left: ReadonlyMap<string, Entry> = new Map();
  readonly sending: readonly OutboxReport[] = [];
  readonly #options: DeliveryOptions;
  readonly #timeoutMs: number;
  readonly #working = new Set<RequestPosts>();
  #stopped = false;

  constructor(options: DeliveryOptions, timeoutMs: number) {
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  store(): void {}

  async release(reports: readonly Report[]): Promise<readonly OutboxReport[]> {
    const posts = new RequestPosts(reports, this.#options);
    this.#working.add(posts);
    if (!this.#stopped) await posts.run(this.#timeoutMs);
    this.#working.delete(posts);
    return posts.left;
  }

  start(): void {}

  hurry(): void {
    for (const posts of this.#working) posts.hurry();
  }

  flush(): Promise<OutboxStatus> {
    return this.status();
  }

  async status(): Promise<OutboxStatus> {
    return { queued: [...this.#working].flatMap(({ left }) => left).length, parked: 0, dead: 0 };
  }

  stop(): void {
    this.#stopped = true;
    for (const posts of this.#working) posts.stop();
  }
}

/** The reports of one piece of work: each is posted until the service has it, refuses it, or the time is over. */
class RequestPosts {
  readonly #reports: readonly Report[];
  readonly #options: DeliveryOptions & { readonly ambiguous: Ambiguous };
  /** They may have been processed, and the service is not known to honour keys. */
  #parked: Report[] = [];
  readonly #wakes = new Set<() => void>();
  #finish = () => {};
  #over = false;
  /** The kind of failure that was emitted last. */
  #reported: DeliveryFailure | undefined;

  constructor(reports: readonly Report[], options: DeliveryOptions) {
    this.#reports = reports;
    this.#options = options;
  }

  get left(): readonly Report[] {
    return this.#reports.filter(({ isAcknowledged }) => !isAcknowledged);
  }

  /** Resolves when nothing is pending, after `timeoutMs`, or on `stop()`. */
  async run(timeoutMs: number): Promise<void> {
    this.#options.lagWatch?.expect(this.#reports);
    const over = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const cancel = this.#options.clock.schedule(timeoutMs, this.#finish);
    await Promise.race([over, this.#postAll()]);
    cancel();
    this.stop();
  }

  /** Ends each pause. */
  hurry(): void {
    for (const wake of this.#wakes) wake();
  }

  /** Sends nothing more. An answer that still comes counts. */
  stop(): void {
    this.#over = true;
    this.hurry();
    this.#finish();
  }

  async #postAll(): Promise<void> {
    await this.#postEach(this.#reports);
    // The answer to another report has shown meanwhile that the service honours keys.
    if (this.#parked.length > 0 && this.#mayRepeat()) await this.#postEach(this.#parked.splice(0));
  }

  /** At most `concurrency` at once. */
  async #postEach(reports: readonly Report[]): Promise<void> {
    const waiting = [...reports];
    const postNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await this.#post(next);
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, postNext));
  }

  async #post(report: Report): Promise<void> {
    const { clock, events, random, upstream, wallets } = this.#options;
    for (let failures = 1; !this.#over; failures++) {
      const sentAt = clock.now();
      const outcome = await upstream.post(report, wallets.open.service);
      learnFrom(report, outcome, this.#options);
      if (outcome.outcome === "delivered") {
        if (outcome.honoursKeys) wallets.open.service.learnKeys();
        this.#acknowledge(report, outcome);
        return events.emit("delivered", { report, tookMs: clock.now() - sentAt });
      }
      const { error, pauseMs } = outcome;
      if (outcome.outcome === "undeliverable") return events.emit("dead", { report, error });
      if (this.#over) return;
      this.#report(outcome.outcome, error);
      const mustPark = () => outcome.outcome === "ambiguous" && !this.#mayRepeat();
      if (!mustPark()) await this.#pause(Math.max(pauseMs, deliveryPauseMs(failures, random)));
      // Meanwhile the service may have ceased to echo keys.
      if (mustPark()) {
        this.#parked.push(report);
        return events.emit("parked", { report, error });
      }
    }
  }

  #acknowledge(report: Report, { cost, budgets }: Delivered): void {
    const { lagWatch, settlementLagMs, reportedCosts } = this.#options;
    lagWatch?.acknowledged(report, cost !== undefined);
    report.acknowledge(settlementLagMs, reportedCosts.read(report, cost), false, budgets);
    this.#reported = undefined;
  }

  #mayRepeat(): boolean {
    return mayRepeat(this.#options.ambiguous, this.#options.wallets.open.service.honoursKeys);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const cancel = this.#options.clock.schedule(delayMs, wake);
      this.#wakes.add(wake);
    });
  }

  #report(failure: DeliveryFailure, error: unknown): void {
    if (failure !== this.#reported) this.#options.events.emit("degraded", { what: "delivery", error });
    this.#reported = failure;
  }
}
