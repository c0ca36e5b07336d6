import type { MessageTerms } from "../messages.ts";
import type { WalletTerms } from "./wallet-account.ts";

/** Until a gate has sent its own; those are a gate's defaults. */
export const defaultTerms: MessageTerms = {
  settlementLagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 250,
  checkTimeoutMs: 1_000,
  ttlMs: 5_000,
  abandonMs: 60_000,
};

/**
 * Usage that is acknowledged within so long is kept as one sum, and counts for up to so much longer: shorter than the pause between two
 * balance requests, so that the second of them shows what the first could not.
 */
const windowMs = 10;

/** What the step reckons with. */
export function walletTerms(terms: MessageTerms): WalletTerms {
  const { settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, abandonMs } = terms;
  return {
    // Nothing is leased here: each work has what it may cost, and no more. So long a word of the object itself is no late copy.
    leaseMs: 1_000,
    lagMs: Math.ceil(settlementLagMs),
    maxStaleMs: Math.floor(maxStaleMs),
    minRefreshMs: Math.ceil(minRefreshMs),
    requestMs: Math.ceil(checkTimeoutMs),
    windowMs,
    abandonMs: Math.ceil(abandonMs),
  };
}

/** The terms as they were stored, by this version or another: what is missing has its default. */
export function readTerms(text: string | undefined): MessageTerms | undefined {
  return text === undefined ? undefined : { ...defaultTerms, ...(JSON.parse(text) as Partial<MessageTerms>) };
}
