import type { Transport } from "@creditgate/client";
import { recommendations } from "#recommended-actions";
import type { GateEvents } from "../events/events.ts";
import { type Awaitable, andThen } from "../values/awaitable.ts";
import type { Clock } from "../values/clock.ts";
import type { Denial } from "./denial.ts";
import type { RecommendedActions } from "./recommended/recommended-actions.ts";

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
  readonly #recommended: RecommendedActions | undefined;

  constructor(options: AdviceOptions, events: GateEvents) {
    this.#options = options;
    this.#events = events;
    this.#recommended = recommendations(options.client, options.clock, options.actionTimeoutMs);
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
