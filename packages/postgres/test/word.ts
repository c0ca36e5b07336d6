import type { Word } from "@creditgate/core";
import { emptyWord } from "@creditgate/core/parts";

/** A word that says this, and otherwise nothing. */
export function wordOf(id: string, seq: number, said: Partial<Word> = {}): Word {
  return {
    ...emptyWord,
    id,
    seq,
    terms: { leaseMs: 300, lagMs: 1_000, maxStaleMs: 60_000, minRefreshMs: 0, requestMs: 1_000, tickMs: 100 },
    ...said,
  };
}
