import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Done } from "./application.ts";
import type { Contestant } from "./contestant.ts";
import type { Fault, Seen } from "./service.ts";

/** Longer than that nobody waits for an answer. */
const patienceMs = 12_000;

/** How a request ended. */
export interface Ended {
  /** `undefined` if no answer has come in time, or it broke off. */
  readonly status: number | undefined;
  readonly elapsedMs: number;
  /** To the first byte of the body. */
  readonly firstByteMs: number;
}

/** The customers of an application, and whoever looks at its work and at the books of its billing service. */
export class Client {
  readonly #contestant: Contestant;
  readonly #url: string;
  readonly #serviceUrl: string;
  /** What was not billed in time, by the prefix of its customers: it is not waited for again. */
  readonly #lost = new Map<string, number>();
  readonly #agent = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs });

  constructor(contestant: Contestant, url: string, serviceUrl: string) {
    this.#contestant = contestant;
    this.#url = url;
    this.#serviceUrl = serviceUrl;
  }

  /** Sends a request. Its client leaves when the signal aborts. */
  async send(customer: string, path: string, leaves?: AbortSignal): Promise<Ended> {
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    const patience = AbortSignal.timeout(patienceMs);
    let firstByteMs = Number.NaN;
    try {
      const { statusCode, body } = await request(this.#url + path, {
        method: "POST",
        dispatcher: this.#agent,
        headers: { "x-customer": customer, ...this.#contestant.headers?.(customer, path) },
        signal: leaves === undefined ? patience : AbortSignal.any([patience, leaves]),
      });
      for await (const _ of body) if (Number.isNaN(firstByteMs)) firstByteMs = elapsed();
      return { status: statusCode, elapsedMs: elapsed(), firstByteMs };
    } catch {
      return { status: undefined, elapsedMs: elapsed(), firstByteMs };
    }
  }

  /** Sends a number of requests, as many at once as stated. The customer and the path are functions of the index. */
  async sendMany(
    count: number,
    atOnce: number,
    send: (index: number) => Promise<Ended>,
  ): Promise<readonly Ended[]> {
    const ended: Ended[] = [];
    let sent = 0;
    const lane = async (): Promise<void> => {
      while (sent < count) ended.push(await send(sent++));
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return ended;
  }

  async done(prefix: string): Promise<Done> {
    return await read<Done>(`${this.#url}/contest/done?prefix=${prefix}`);
  }

  async seen(prefix: string): Promise<Seen> {
    return await read<Seen>(`${this.#serviceUrl}/contest/seen?prefix=${prefix}`);
  }

  async cause(fault: Fault): Promise<void> {
    await read(`${this.#serviceUrl}/contest/fault?fault=${fault}`);
  }

  /**
   * Waits until `pending` has resolved and all work of these customers is billed, but then no longer than `limitMs`.
   * Resolves with how long after its call the last bill came.
   */
  async settled(
    prefix: string,
    limitMs: number,
    pending: Promise<unknown> = Promise.resolve(),
  ): Promise<number> {
    const start = performance.now();
    let end = Number.POSITIVE_INFINITY;
    pending.then(() => {
      end = performance.now() + limitMs;
    });
    let billed = (await this.seen(prefix)).billed;
    let ms = 0;
    for (;;) {
      await setTimeout(25);
      const now = performance.now();
      const isLast = end < Number.POSITIVE_INFINITY;
      const [done, seen] = await Promise.all([this.done(prefix), this.seen(prefix)]);
      if (seen.billed !== billed) [billed, ms] = [seen.billed, now - start];
      const lost = done.tokens - billed;
      const isSettled = lost <= (this.#lost.get(prefix) ?? 0) || this.#contestant.bills === false;
      if (!isLast || (!isSettled && now <= end)) continue;
      this.#lost.set(prefix, lost);
      return ms;
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url);
  return (await response.json()) as T;
}
