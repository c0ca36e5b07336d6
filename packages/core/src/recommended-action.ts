import { endpoints, type Transport } from "@creditgate/client";
import { LRUCache } from "lru-cache";
import { type Clock, within } from "./clock.ts";

const ttlMs = 10_000;
const max = 1_000;

/** What a customer who cannot pay should do about it, as the subscription endpoint recommends (API 4.3). */
export class RecommendedAction {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #actions: LRUCache<string, Advice, { customerId: string; agentId: string }>;

  constructor(options: { client: Pick<Transport, "send">; clock: Clock; timeoutMs: number }) {
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
    this.#actions = new LRUCache({
      max,
      ttl: ttlMs,
      ttlResolution: 0,
      perf: options.clock,
      fetchMethod: (_key, _stale, { context }) => ask(options.client, context.customerId, context.agentId),
    });
  }

  /** Such as `upgrade`; `undefined` when the service does not say so in time. Never rejects: it decides nothing. */
  async of(customerId: string, agentId: string): Promise<string | undefined> {
    const key = JSON.stringify([customerId, agentId]);
    const asked = this.#actions.fetch(key, { context: { customerId, agentId } });
    return (await within(asked, this.#timeoutMs, this.#clock))?.action;
  }
}

/** An answer worth keeping, also when it is that there is none: a broke customer who insists costs one request. */
interface Advice {
  readonly action: string | undefined;
}

async function ask(client: Pick<Transport, "send">, customerId: string, agentId: string): Promise<Advice> {
  try {
    const { body } = await client.send(
      endpoints.customerSubscription,
      { params: { external_id: customerId }, query: { agentId } },
      { retries: 0 },
    );
    const action =
      typeof body === "object" && body !== null && "recommendedAction" in body && body.recommendedAction;
    // It is passed on to the customer: a word, or nothing.
    return { action: typeof action === "string" && /^[a-z][a-z_]{0,63}$/.test(action) ? action : undefined };
  } catch {
    return { action: undefined };
  }
}
