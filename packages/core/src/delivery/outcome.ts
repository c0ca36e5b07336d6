import { type Answer, type CreditgateError, isCreditgateError } from "@creditgate/client";
import { isVerdict, type KnownService } from "./known-service.ts";

/** What an attempt to deliver a report means for it. */
export type Delivery =
  | { readonly outcome: "delivered"; readonly honoursKeys: boolean }
  | {
      readonly outcome: DeliveryFailure;
      /** The least time until the next attempt. */
      readonly pauseMs: number;
      /** The service asks for less: of this report and of all others. */
      readonly overloaded?: boolean;
      readonly error: unknown;
    };

export type DeliveryFailure =
  /** Certainly not processed: again, later. */
  | "unprocessed"
  /** Perhaps processed: again only if the service honours keys. */
  | "ambiguous"
  /** The service refuses this caller, not this report: again, slowly. */
  | "refused"
  /** The service refuses this report: repeating it changes nothing. */
  | "undeliverable";

/** The pause after an answer that says something about all reports. */
export const refusedPauseMs = 60_000;
const longestRetryAfterMs = 300_000;

/** Reads a 2xx answer to the report of this id: a proxy may give one too. */
export function deliveryIn(answer: Answer, id: string, { honoursKeys }: KnownService): Delivery {
  if (answer.idempotencyKey === id) return { outcome: "delivered", honoursKeys: true };
  // A service that is not Creditgate's may answer with nothing; one that echoes keys would have echoed this one.
  const isEmpty = answer.isEmpty === true && !honoursKeys;
  if (answer.body !== undefined || isEmpty) return { outcome: "delivered", honoursKeys: false };
  const error = new Error(
    `the service answered ${answer.status} without JSON and without the Idempotency-Key: something else may have answered for it; check the baseUrl`,
  );
  return { outcome: "ambiguous", pauseMs: 0, error };
}

/** Reads a failed attempt by the table "Delivery of usage" of ARCHITECTURE.md. */
export function deliveryOf(error: unknown, service: KnownService): Delivery {
  if (!isCreditgateError(error)) return { outcome: "ambiguous", pauseMs: 0, error };
  const { status, retryAfterMs } = error;
  const outcome = failureOf(error, service);
  const least = outcome === "refused" ? refusedPauseMs : 0;
  const pauseMs = Math.max(least, Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
  return { outcome, pauseMs, overloaded: status === 429 || retryAfterMs !== undefined, error };
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
    case 400:
    case 404:
    case 413:
    case 422:
      return isVerdict(error, service) ? "undeliverable" : "unprocessed";
    case 408:
    case undefined:
      return "ambiguous";
  }
  // A 2xx whose body was lost or too large may be a proxy's.
  if (status >= 200 && status < 300) return "ambiguous";
  return status >= 500 ? "ambiguous" : "refused";
}
