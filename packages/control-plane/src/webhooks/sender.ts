import { setMaxListeners } from "node:events";
import type { Database } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { Counter } from "../metrics/exposition.ts";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";
import { createAddressRule } from "./address.ts";
import { attempt } from "./attempt.ts";
import { type Claimed, claimDue } from "./claim.ts";
import { describeDisabled, describeGivenUp } from "./notices.ts";
import { disableEndpoint, noteHealth, type Outcome, recordOutcome, release } from "./outcome.ts";
import { createPost } from "./post.ts";
import { day } from "./schedule.ts";

/** Where webhooks may go. */
export interface WebhookRules {
  /** Networks that are not public, as `10.0.0.0/8`, to which webhooks may go. @default none */
  readonly networks?: readonly string[];
  /** Whether they may go by http, which anyone on the way can read. @default false */
  readonly allowHttp?: boolean;
  /** How long an endpoint has for its answer, in milliseconds, 100 to 60000. @default 15000 */
  readonly timeoutMs?: number;
}

export interface WebhookSenderOptions extends WebhookRules {
  readonly database: Database;
  readonly clock: Clock;
  /** How often to look for events that other processes have written, and for those that are due again. @default 500 */
  readonly pollMs?: number;
  /** How long attempts may go on when the sender is stopped, in milliseconds. @default 2000 */
  readonly stopMs?: number;
  /** From 0 to below 1. @default Math.random */
  readonly random?: () => number;
  readonly deliveries?: Counter;
  /** Told once per row of failures, once of an endpoint that is disabled, and of the first event that one is not told. */
  readonly onError?: (error: unknown) => void;
}

export interface WebhookSender {
  /** Tells that there may be events to send. */
  wake(): void;
  /** Resolves when no attempt is under way; one that takes long is cut off, and made again after the next start. */
  stop(): Promise<void>;
}

/** Attempts at once of a process, of all endpoints that fail, and of one endpoint: those that hang leave room for the others. */
const capacity = 256;
const failingCapacity = 128;
const perEndpoint = 8;

/** Beyond the time of an attempt, for noting it: after that the event is sent by another process, or again by this one. */
const leaseMarginMs = 5_000;

/** An endpoint that has failed for this long, and for this number of attempts of an event in a row, is disabled. */
const longestFailingMs = 5 * day;
const leastAttempts = 5;

/**
 * Sends what the outbox holds. Any number of processes may do so at once: a stream has one sender at a time, and of a
 * process that dies its streams are sent again when their leases are over.
 */
export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { database, clock, networks = [], allowHttp = false, timeoutMs = 15_000 } = options;
  const { pollMs = 500, stopMs = 2_000, random = Math.random, deliveries, onError } = options;
  const post = createPost({ mayConnect: createAddressRule(networks), allowHttp, timeoutMs });
  const cut = new AbortController();
  setMaxListeners(capacity, cut.signal);
  const underWay = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  let failingUnderWay = 0;
  const finished: { readonly claimed: Claimed; readonly outcome: Outcome | undefined }[] = [];
  const told = new Set<string>();
  let stopping = false;

  const begin = (claimed: Claimed): void => {
    underWay.set(claimed.endpointId, (underWay.get(claimed.endpointId) ?? 0) + 1);
    const failing = claimed.failingSince === null ? 0 : 1;
    failingUnderWay += failing;
    const running = attempt(claimed, { post, clock, random, signal: cut.signal }).then((outcome) => {
      finished.push({ claimed, outcome });
      attempts.delete(running);
      failingUnderWay -= failing;
      polling.wake();
    });
    attempts.add(running);
  };

  /** Notes attempts one after the other: they share the connections with settlement. */
  const note = async (): Promise<void> => {
    for (let first = finished[0]; first !== undefined; first = finished[0]) {
      const { claimed, outcome } = first;
      if (outcome === undefined) await release(database, claimed, new Date(clock.now()));
      else if (await recordOutcome(database, claimed, outcome)) await follow(claimed, outcome);
      finished.shift();
      const others = (underWay.get(claimed.endpointId) ?? 1) - 1;
      if (others === 0) underWay.delete(claimed.endpointId);
      else underWay.set(claimed.endpointId, others);
    }
  };

  /** What an attempt says of its endpoint. */
  const follow = async (claimed: Claimed, { status, at, responseStatus, error }: Outcome): Promise<void> => {
    const { endpointId, failingSince } = claimed;
    const isFailing = status !== "delivered";
    deliveries?.add(1, { outcome: status === "pending" ? "failed" : status });
    await noteHealth(database, claimed, isFailing, at);
    if (!isFailing) return void told.delete(endpointId);
    const failedFor = failingSince === null ? 0 : at.getTime() - failingSince.getTime();
    const isLost = failedFor >= longestFailingMs && claimed.attempts + 1 >= leastAttempts;
    const why = responseStatus === 410 ? "gone" : isLost ? "failing" : undefined;
    if (why !== undefined && (await disableEndpoint(database, claimed, why, at))) {
      onError?.(new ControlPlaneError("operator_needed", describeDisabled(claimed, why, error)));
    } else if (status === "given_up" && !told.has(endpointId)) {
      told.add(endpointId);
      onError?.(new ControlPlaneError("operator_needed", describeGivenUp(claimed, error)));
    }
  };

  const pass = async (): Promise<void> => {
    await note();
    const limit = capacity - attempts.size;
    if (stopping || limit === 0) return;
    const now = clock.now();
    const until = new Date(now + timeoutMs + leaseMarginMs);
    const failingLimit = failingCapacity - failingUnderWay;
    const terms = { now: new Date(now), until, limit, failingLimit, perEndpoint, underWay };
    for (const claimed of await claimDue(database, terms)) begin(claimed);
  };
  const polling = startPolling(pass, { pollMs, onError });

  return {
    wake: polling.wake,
    async stop() {
      stopping = true;
      const timer = setTimeout(() => cut.abort(), stopMs);
      while (attempts.size > 0) await Promise.all(attempts);
      clearTimeout(timer);
      await polling.stop();
      // What cannot be noted is sent again when its lease is over.
      await note().catch(() => undefined);
    },
  };
}
