import { gateEndpoints, type Transport } from "@creditgate/client";
import { createLeastRecentlyUsed } from "#least-recently-used";
import type { GateEvents } from "../events/events.ts";
import { type Awaitable, andThen } from "../values/awaitable.ts";
import { type Clock, within } from "../values/clock.ts";
import type { Denial } from "./denial.ts";

interface AdviceOptions {
  /** Absent if the service recommends nothing. */
  readonly client?: Pick<Transport, "send"> | undefined;
  readonly clock: Clock;
  readonly actionTimeoutMs: number;
  readonly actionUrl?: string | ((denial: Denial) => string | undefined) | undefined;
}

/** Adds to a denial what the customer can do about it. */
export class Advice {
  readonly #options: AdviceOptions;
  readonly #events: GateEvents;
  readonly #recommended: RecommendedAction | undefined;

  constructor(options: AdviceOptions, events: GateEvents) {
    this.#options = options;
    this.#events = events;
    const { client, clock, actionTimeoutMs: timeoutMs } = options;
    this.#recommended =
      client && timeoutMs > 0 ? new RecommendedAction({ client, clock, timeoutMs }) : undefined;
  }

  /** The denial with the advice, if it is one that a payment ends. Never rejects. */
  add(denial: Denial, { customerId, agentId }: { customerId: string; agentId: string }): Awaitable<Denial> {
    // A payment does not raise a budget.
    if (denial.status !== 402 || denial.budget !== undefined) return denial;
    const action = this.#recommended?.of(customerId, agentId);
    return andThen(action, (recommended) => this.#advised(denial, recommended, customerId));
  }

  #advised(denial: Denial, action: string | undefined, customerId: string): Denial {
    const { actionUrl } = this.#options;
    const advised = action === undefined ? denial : { ...denial, recommendedAction: action };
    try {
      const url = typeof actionUrl === "function" ? actionUrl(advised) : actionUrl;
      return url === undefined ? advised : { ...advised, actionUrl: url };
    } catch (error) {
      this.#events.emit("degraded", { what: "action", error, customerId });
      return advised;
    }
  }
}

const ttlMs = 10_000;
const max = 1_000;

/** What a customer who cannot pay should do about it, as the subscription endpoint recommends (API 4.3). */
class RecommendedAction {
  readonly #client: Pick<Transport, "send">;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #recommendations = createLeastRecentlyUsed<string, Recommendation>(max);

  constructor(options: { client: Pick<Transport, "send">; clock: Clock; timeoutMs: number }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
  }

  /** Such as `upgrade`; `undefined` if the service does not answer in time. Never rejects: it decides nothing. */
  of(customerId: string, agentId: string): Awaitable<string | undefined> {
    const key = `${customerId.length} ${customerId}${agentId}`;
    let recommendation = this.#recommendations.get(key);
    if (recommendation === undefined || this.#clock.now() >= recommendation.until) {
      recommendation = this.#ask(customerId, agentId);
      this.#recommendations.set(key, recommendation);
    }
    const { action } = recommendation;
    return action instanceof Promise ? within(action, this.#timeoutMs, this.#clock) : action;
  }

  #ask(customerId: string, agentId: string): Recommendation {
    const asked = ask(this.#client, customerId, agentId);
    const recommendation: Recommendation = { action: asked, until: Number.POSITIVE_INFINITY };
    void asked.then((action) => {
      recommendation.action = action;
      recommendation.until = this.#clock.now() + ttlMs;
    });
    return recommendation;
  }
}

/** Kept for a while, also when there is none: cache empty answers too. */
interface Recommendation {
  action: Awaitable<string | undefined>;
  /** Shared until it has come, and for `ttlMs` from then. */
  until: number;
}

async function ask(
  client: Pick<Transport, "send">,
  customerId: string,
  agentId: string,
): Promise<string | undefined> {
  try {
    const { body } = await client.send(
      gateEndpoints.customerSubscription,
      { params: { external_id: customerId }, query: { agentId } },
      { retries: 0 },
    );
    const action =
      typeof body === "object" && body !== null && "recommendedAction" in body && body.recommendedAction;
    // It is passed on to the customer: a word, or nothing.
    return typeof action === "string" && /^[a-z][a-z_]{0,63}$/.test(action) ? action : undefined;
  } catch {
    return undefined;
  }
}
