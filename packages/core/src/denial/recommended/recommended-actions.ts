import { customerSubscription, type Transport } from "@creditgate/client";
import { createLeastRecentlyUsed } from "#least-recently-used";
import type { Awaitable } from "../../values/awaitable.ts";
import { type Clock, within } from "../../values/clock.ts";
import { checkNumber, day } from "../../values/option.ts";

const ttlMs = 10_000;
const max = 1_000;

export interface RecommendedActionsOptions {
  readonly client: Pick<Transport, "send">;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** `undefined` if the service recommends nothing, or is not asked. */
export function recommendations(
  client: RecommendedActionsOptions["client"] | undefined,
  clock: Clock,
  timeoutMs: number,
): RecommendedActions | undefined {
  return client && timeoutMs > 0 ? new RecommendedActions({ client, clock, timeoutMs }) : undefined;
}

/** The option `actionTimeoutMs`. */
export function checkActionTimeout(timeoutMs: number | undefined): number {
  return checkNumber("actionTimeoutMs", timeoutMs ?? 150, 0, day);
}

/** They are here already. */
export function installRecommendations(_installed: object): void {}

/** What a customer who cannot pay should do about it, as the subscription endpoint recommends (API 4.3). */
export class RecommendedActions {
  readonly #client: Pick<Transport, "send">;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #recommendations = createLeastRecentlyUsed<string, Recommendation>(max);

  constructor(options: RecommendedActionsOptions) {
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
      customerSubscription,
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
