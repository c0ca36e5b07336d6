import type { OutboxReport, OutboxStatus } from "../outbox/outbox.ts";
import type { Entry, Report } from "../outbox/report.ts";
import type { Delivery } from "./delivery.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import { RequestPosts } from "./request-posts.ts";

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
