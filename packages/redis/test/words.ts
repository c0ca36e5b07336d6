import type { Word } from "@creditgate/core";

/** A word that says this, and otherwise nothing. */
export function wordOf(id: string, seq: number, said: Partial<Word> = {}): Word {
  const { base = 0, keep = base } = said;
  return {
    id,
    seq,
    epoch: null,
    register: false,
    kind: "prepaid",
    base,
    keep,
    claim: keep,
    acked: 0,
    queued: 0,
    first: 0,
    need: 0,
    want: 0,
    abandonMs: null,
    recall: false,
    terms: {
      leaseMs: 5_000,
      lagMs: 10_000,
      maxStaleMs: 60_000,
      minRefreshMs: 0,
      requestMs: 5_000,
      tickMs: 100,
    },
    ...said,
  };
}
