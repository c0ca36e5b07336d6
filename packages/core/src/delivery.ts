import { isCreditgateError } from "@creditgate/client";

/** What an attempt to deliver a report means for it. */
export type Delivery =
  | { readonly outcome: "delivered"; readonly honoursKeys: boolean }
  /** Certainly not processed: again, later. */
  | { readonly outcome: "unprocessed"; readonly retryAfterMs: number | undefined; readonly error: unknown }
  /** Perhaps processed: again only if the service honours keys. */
  | { readonly outcome: "ambiguous"; readonly retryAfterMs: number | undefined; readonly error: unknown }
  /** The service refuses this caller, not this report: again, slowly. */
  | { readonly outcome: "refused"; readonly error: unknown }
  /** The service refuses this report: repeating it changes nothing. */
  | { readonly outcome: "undeliverable"; readonly error: unknown };

const longestRetryAfterMs = 300_000;

/** Reads a failed attempt by the table "Delivery of usage" of ARCHITECTURE.md. */
export function deliveryOf(error: unknown): Delivery {
  if (!isCreditgateError(error)) return { outcome: "ambiguous", retryAfterMs: undefined, error };
  const { code, status } = error;
  // The status line said that the service has it; what became of the body does not matter.
  if (status !== undefined && status >= 200 && status < 300)
    return { outcome: "delivered", honoursKeys: false };
  const retryAfterMs =
    error.retryAfterMs === undefined ? undefined : Math.min(error.retryAfterMs, longestRetryAfterMs);
  // Some runtimes hide the status of a redirect that is not followed.
  if (code === "redirected") return { outcome: "refused", error };
  if (code === "not_sent") return { outcome: "unprocessed", retryAfterMs, error };
  if (status === undefined) {
    return code === "invalid_option"
      ? { outcome: "undeliverable", error }
      : { outcome: "ambiguous", retryAfterMs, error };
  }
  switch (status) {
    case 429:
    case 503:
      return { outcome: "unprocessed", retryAfterMs, error };
    case 400:
    case 404:
    case 413:
    case 422:
      return { outcome: "undeliverable", error };
    case 408:
      return { outcome: "ambiguous", retryAfterMs, error };
    default:
      return status >= 500 ? { outcome: "ambiguous", retryAfterMs, error } : { outcome: "refused", error };
  }
}
