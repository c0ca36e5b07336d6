import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import type { Counter } from "prom-client";
import type { Database } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { Clock } from "../time/clock.ts";
import { startPolling } from "../time/polling.ts";
import { createAddressRule } from "./address.ts";
import { attempt } from "./attempt.ts";
import { type Claimed, claimDue, type EndpointLoad, type OrganizationLoad } from "./claim.ts";
import { disableEndpoint, type Ended, noteHealth, type Outcome, recordOutcomes } from "./outcome.ts";
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
  /** Measures how long attempts take, in milliseconds. @default performance */
  readonly elapsed?: Clock;
  readonly deliveries?: Counter;
  /**
   * Called once per row of failures, once for an endpoint that is disabled, and for the first event that an endpoint
   * does not receive.
   */
  readonly onError?: (error: unknown) => void;
}

export interface WebhookSender {
  /** Announces that there may be events to send. */
  wake(): void;
  /** Resolves when no attempt is under way; one that takes long is cut off, and made again after the next start. */
  stop(): Promise<void>;
}

/** Attempts of a process at once: of endpoints that answer in time, of those that fail or are slow, of one, and of all. */
const capacity = 256;
const slowCapacity = 128;
const perEndpoint = 8;
const mostAttempts = 1_024;

/**
 * An endpoint is slow while an answer takes longer. From then on its attempts use the capacity of slow ones: receivers
 * that begin to hang together delay the others for this long at most.
 */
const slowMs = 2_000;

/** The least recently seen are forgotten: a slow endpoint is known again after its next attempts. */
const mostSlowEndpoints = 10_000;

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
  const { pollMs = 500, stopMs = 2_000, random = Math.random, elapsed = performance } = options;
  const { deliveries, onError } = options;
  const post = createPost({ mayConnect: createAddressRule(networks), allowHttp, timeoutMs });
  const cut = new AbortController();
  setMaxListeners(mostAttempts, cut.signal);
  const slow = new LRUCache<string, true>({ max: mostSlowEndpoints });
  const underWay = new Map<Promise<void>, { readonly claimed: Claimed; readonly startedAt: number }>();
  const finished: Ended[] = [];
  const reported = new Set<string>();
  let stopping = false;

  const begin = (claimed: Claimed): void => {
    const startedAt = elapsed.now();
    const running = attempt(claimed, { post, clock, elapsed, random, signal: cut.signal }).then((outcome) => {
      if (elapsed.now() - startedAt < slowMs) slow.delete(claimed.endpointId);
      else slow.set(claimed.endpointId, true);
      finished.push({ claimed, outcome });
      underWay.delete(running);
      polling.wake();
    });
    underWay.set(running, { claimed, startedAt });
  };

  /** Notes attempts. A stream that is locked, as by a request of its organisation, holds up no other. */
  const note = async (): Promise<void> => {
    const attempts = [...finished];
    const { noted, locked } = await recordOutcomes(database, attempts, {
      at: new Date(clock.now()),
      wait: stopping,
    });
    finished.splice(0, attempts.length, ...locked);
    await noteHealth(database, noted);
    for (const { claimed, outcome } of noted) if (outcome !== undefined) await follow(claimed, outcome);
  };

  /** What an attempt says of its endpoint. */
  const follow = async (claimed: Claimed, { status, at, responseStatus, error }: Outcome): Promise<void> => {
    const { endpointId, failingSince } = claimed;
    const isFailing = status !== "delivered";
    deliveries?.inc({ outcome: status === "pending" ? "failed" : status });
    if (!isFailing) return void reported.delete(endpointId);
    const failedFor = failingSince === null ? 0 : at.getTime() - failingSince.getTime();
    const isLost = failedFor >= longestFailingMs && claimed.attempts + 1 >= leastAttempts;
    const why = responseStatus === 410 ? "gone" : isLost ? "failing" : undefined;
    if (why !== undefined && (await disableEndpoint(database, claimed, why, at))) {
      onError?.(new ControlPlaneError("operator_needed", describeDisabled(claimed, why, error)));
    } else if (status === "given_up" && !reported.has(endpointId)) {
      reported.add(endpointId);
      onError?.(new ControlPlaneError("operator_needed", describeGivenUp(claimed, error)));
    }
  };

  /** What is under way, for whom, and how much more may be. */
  const measure = () => {
    for (const { claimed, startedAt } of underWay.values()) {
      if (elapsed.now() - startedAt >= slowMs) slow.set(claimed.endpointId, true);
    }
    const endpoints = new Map<string, EndpointLoad>();
    for (const endpointId of slow.keys())
      endpoints.set(endpointId, { endpointId, attempts: 0, isSlow: true });
    const organizations = new Map<string, OrganizationLoad>();
    let slowAttempts = 0;
    for (const { claimed } of underWay.values()) {
      const { endpointId, orgId, failingSince } = claimed;
      const isSlow = failingSince !== null || slow.has(endpointId);
      if (isSlow) slowAttempts += 1;
      const ofEndpoint = endpoints.get(endpointId)?.attempts ?? 0;
      endpoints.set(endpointId, { endpointId, attempts: ofEndpoint + 1, isSlow });
      const ofOrganization = organizations.get(`${orgId} ${isSlow}`)?.attempts ?? 0;
      organizations.set(`${orgId} ${isSlow}`, { orgId, attempts: ofOrganization + 1, isSlow });
    }
    const free = mostAttempts - underWay.size;
    return {
      limit: Math.min(free, capacity - (underWay.size - slowAttempts)),
      slowLimit: Math.min(free, slowCapacity - slowAttempts),
      endpoints: [...endpoints.values()],
      organizations: [...organizations.values()],
    };
  };

  const pass = async (): Promise<void> => {
    await note();
    if (stopping) return;
    const now = clock.now();
    const until = new Date(now + timeoutMs + leaseMarginMs);
    for (const claimed of await claimDue(database, {
      now: new Date(now),
      until,
      perEndpoint,
      ...measure(),
    })) {
      begin(claimed);
    }
  };
  const polling = startPolling(pass, { pollMs, onError });

  return {
    wake: polling.wake,
    async stop() {
      stopping = true;
      const timer = setTimeout(() => cut.abort(), stopMs);
      while (underWay.size > 0) await Promise.all(underWay.keys());
      clearTimeout(timer);
      await polling.stop();
      // What cannot be noted is sent again when its lease is over.
      await note().catch(() => undefined);
    },
  };
}

/** The operator's line for an endpoint that was disabled. */
function describeDisabled(
  { orgId, endpointId, url }: Claimed,
  why: "failing" | "gone",
  error: string | undefined,
): string {
  const reason = why === "gone" ? "it has answered 410" : "it has failed for days";
  return (
    `webhooks: endpoint ${endpointId} (${hostOf(url)}) of organisation ${orgId} is disabled, since ${reason} (${error}). ` +
    `Mend it, enable it by POST /admin/api/organizations/${orgId}/webhook-endpoints/${endpointId}, and replay what it has missed`
  );
}

/** The operator's line for an event after its last attempt. */
function describeGivenUp(
  { orgId, endpointId, url, eventId, type, customerId, attempts }: Claimed,
  error: string | undefined,
): string {
  return (
    `webhooks: event ${eventId} (${type} of customer ${JSON.stringify(customerId)}) is given up after ${attempts + 1} attempts: ` +
    `endpoint ${endpointId} (${hostOf(url)}) of organisation ${orgId}: ${error}. The next events of its wallet follow. ` +
    `GET /admin/api/organizations/${orgId}/webhook-deliveries?status=given_up lists such events, and the endpoint's replay sends them again`
  );
}

/** The path may hold a token of the receiver's. */
function hostOf(url: string): string {
  return new URL(url).host;
}
