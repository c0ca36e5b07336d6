import type { Word } from "@creditgate/core";

/** A word that says this, and otherwise nothing. */
export function wordOf(id: string, seq: number, said: Partial<Word> = {}): Word {
  return {
    id,
    seq,
    epoch: null,
    register: false,
    kind: "prepaid",
    base: 0,
    keep: 0,
    claim: 0,
    acked: 0,
    queued: 0,
    first: 0,
    need: 0,
    want: 0,
    abandonMs: null,
    recall: false,
    terms: { leaseMs: 300, lagMs: 1_000, maxStaleMs: 60_000, minRefreshMs: 0, requestMs: 1_000, tickMs: 100 },
    ...said,
  };
}
