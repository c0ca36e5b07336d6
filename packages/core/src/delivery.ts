import { type CreditgateError, isCreditgateError } from "@creditgate/client";
import { isNotFound } from "./not-found.ts";

/** What an attempt to deliver a report means for it. */
export type Delivery =
  | { readonly outcome: "delivered"; readonly honoursKeys: boolean }
  | {
      readonly outcome: DeliveryFailure;
      /** The least time until the next attempt. */
      readonly pauseMs: number;
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

const refusedPauseMs = 60_000;
const longestRetryAfterMs = 300_000;

/** Reads a failed attempt by the table "Delivery of usage" of ARCHITECTURE.md. */
export function deliveryOf(error: unknown): Delivery {
  if (!isCreditgateError(error)) return { outcome: "ambiguous", pauseMs: 0, error };
  const { code, status = 0, retryAfterMs = 0 } = error;
  // A page of a website: nothing has taken the report.
  if (code === "answer_invalid") return { outcome: "refused", pauseMs: refusedPauseMs, error };
  // The status line said that the service has it; what became of the body does not matter.
  if (status >= 200 && status < 300) return { outcome: "delivered", honoursKeys: false };
  const outcome = failureOf(error);
  const pauseMs = outcome === "refused" ? refusedPauseMs : Math.min(retryAfterMs, longestRetryAfterMs);
  return { outcome, pauseMs, error };
}

function failureOf(error: CreditgateError): DeliveryFailure {
  const { code, status } = error;
  switch (code) {
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
    case 404:
      return isNotFound(error) ? "undeliverable" : "unprocessed";
    case 400:
    case 413:
    case 422:
      return "undeliverable";
    case 408:
    case undefined:
      return "ambiguous";
  }
  return status >= 500 ? "ambiguous" : "refused";
}
