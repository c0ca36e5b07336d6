import type { Answer, SharedStore, Word } from "@creditgate/core";
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

/** The answer to the word; where the store asks for it, said again with its epoch and its time, as a process does. */
export async function say(store: SharedStore, account: string, word: Word): Promise<Answer> {
  const answer = await store.exchange(account, word);
  if (answer.status !== "register") return answer;
  const { epoch, now: at } = answer;
  return store.exchange(account, { ...word, epoch, at, register: true });
}
