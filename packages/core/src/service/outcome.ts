import { type Answer, type CreditgateError, isCreditgateError } from "@creditgate/client";
import { verbose } from "#verbosity";
import { isAmount, toMicro } from "../values/micro.ts";
import { isObject } from "../values/object.ts";
import type { KnownService } from "./known-service.ts";

/** What an extended service returns for an accepted report. */
export interface ReportedCost {
  /** Micro-credits. */
  readonly amount: number;
  /** In which it debits them; `null` where the indicator is not in CREDITS. */
  readonly currency: string | null;
}

/** What an attempt to deliver a report means for it. */
export type Outcome = Delivered | Failed;

export interface Delivered {
  readonly outcome: "delivered";
  readonly honoursKeys: boolean;
  readonly cost: ReportedCost | undefined;
  /** The keys of the budgets that it has stored with the report. */
  readonly budgets?: readonly string[] | undefined;
}

/** It is not known to have been taken. */
export interface Failed {
  readonly outcome: DeliveryFailure;
  /** The least time until the next attempt. */
  readonly pauseMs: number;
  /** The report was refused, by the service itself or by what a wrong base URL names. */
  readonly isRefusal?: boolean;
  /** The answer may be about this report alone, such as about its customer. */
  readonly isOfOne?: boolean;
  /** The service asks for less: of this report and of all others. */
  readonly overloaded?: boolean;
  readonly error: unknown;
}

export type DeliveryFailure =
  /** Certainly not processed: again, later. */
  | "unprocessed"
  /** Perhaps processed: again only if the service honours keys. */
  | "ambiguous"
  /** The service refuses this caller, not this report: again, slowly. */
  | "refused"
  /** The service refuses this report: repeating it changes nothing. */
  | "undeliverable";

/** The shortest pause after the service has refused the caller: an operator has to act first. */
const refusedPauseMs = 10_000;
const longestRetryAfterMs = 300_000;
/** The answers by which a report is refused as it is, if they are the service's. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 404, 413, 422]);

/** Reads a 2xx answer to the report of this id: a proxy may give one too. */
export function outcomeIn(answer: Answer, id: string, { honoursKeys }: KnownService): Outcome {
  const { status, idempotencyKey, body, isEmpty } = answer;
  if (idempotencyKey === id) return delivered(body);
  // A service that is not Creditgate's may answer with nothing. Of one that echoes keys only its own answer is one: it had the report, not the key.
  const isAnswer = honoursKeys ? isOwn(answer) : body !== undefined || isEmpty === true;
  // Another key belongs to another report, whoever echoes it.
  if (isAnswer && idempotencyKey === undefined)
    return { outcome: "delivered", honoursKeys: false, cost: undefined };
  const missing = verbose && (idempotencyKey === undefined ? "without the" : "with another report's");
  const message = verbose
    ? `the service answered ${status} ${missing} Idempotency-Key: something else may have answered for it; check the baseUrl`
    : "Idempotency-Key";
  return ambiguous(new Error(message));
}

/** Whether it has a mark of a Creditgate service. */
function isOwn({ batchLimit, usageParts, body }: Answer): boolean {
  return (batchLimit ?? usageParts ?? costIn(body)) !== undefined;
}

/** Nothing shows whether it was processed. */
export function ambiguous(error: unknown): Failed {
  return { outcome: "ambiguous", pauseMs: 0, error };
}

/** The service has taken it, and echoed its key. */
export function delivered(body: unknown): Outcome {
  const taken = { outcome: "delivered", honoursKeys: true, cost: costIn(body) } as const;
  return isObject(body) && Array.isArray(body.budgets) ? { ...taken, budgets: body.budgets } : taken;
}

/** `undefined` for a malformed cost: then the entry keeps what was recorded for it. */
function costIn(body: unknown): ReportedCost | undefined {
  if (!isObject(body)) return undefined;
  const { credits, currency } = body;
  if (!isAmount(credits)) return undefined;
  if (typeof currency !== "string" && currency !== null) return undefined;
  return { amount: toMicro(credits, "ceil"), currency };
}

/** Reads a failed attempt by the table of docs/design/delivery.md. */
export function outcomeOf(error: unknown, service: KnownService): Failed {
  if (!isCreditgateError(error)) return ambiguous(error);
  const { status, retryAfterMs } = error;
  const outcome = failureOf(error, service);
  const least = outcome === "refused" ? refusedPauseMs : 0;
  const pauseMs = Math.max(least, Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
  const isRefusal = outcome === "undeliverable" || (refusals.has(status) && service.hasRefused(error));
  const isOfOne = status === 402 || status === 403 || status === 409;
  const overloaded = status === 429 || retryAfterMs !== undefined;
  return { outcome, pauseMs, isRefusal, isOfOne, overloaded, error };
}

function failureOf(error: CreditgateError, service: KnownService): DeliveryFailure {
  const { code, status } = error;
  switch (code) {
    case "answer_invalid":
      // A page of a website. Where sending twice is safe, it need not be known what has become of the report.
      return service.honoursKeys ? "ambiguous" : "refused";
    case "redirected":
      // Some runtimes hide the status of a redirect that is not followed.
      return "refused";
    case "not_sent":
      return "unprocessed";
    case "invalid_option":
      return "undeliverable";
  }
  switch (status) {
    case 429:
    case 503:
      return "unprocessed";
    case 408:
    case undefined:
      return "ambiguous";
  }
  if (refusals.has(status)) return service.hasRefusedReport(error) ? "undeliverable" : "unprocessed";
  // A 2xx whose body was lost or too large may be a proxy's.
  if (status >= 200 && status < 300) return "ambiguous";
  if (status >= 500) return "ambiguous";
  // A 403 may be about one customer, or a firewall's word on one report.
  return status > 401 ? "unprocessed" : "refused";
}
