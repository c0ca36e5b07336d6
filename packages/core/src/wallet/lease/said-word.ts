import type { Clock } from "../../values/clock.ts";
import type { Answer, SharedStore, Word } from "./shared-store.ts";

/** A store that has not answered for so long is asked again. */
const answerMs = 1_000;
const shortestRestMs = 20;
const longestRestMs = 500;

/**
 * Says the word until the store answers it: verbatim, so that it has one effect however often it arrives. Where it is not known
 * whether it has arrived, nothing else can be said.
 */
export function sayWord(store: SharedStore, account: string, word: Word, clock: Clock): Promise<Answer> {
  return new Promise((resolve) => {
    let isAnswered = false;
    let failures = 0;
    const tryOnce = () => {
      if (isAnswered) return;
      let isOver = false;
      const again = (restMs: number) => {
        if (isOver || isAnswered) return;
        isOver = true;
        cancel();
        if (restMs === 0) tryOnce();
        else clock.schedule(restMs, tryOnce, { idle: true });
      };
      const cancel = clock.schedule(answerMs, () => again(0), { idle: true });
      exchanged(store, account, word).then(
        (answer) => {
          isAnswered = true;
          cancel();
          resolve(answer);
        },
        () => again(Math.min(longestRestMs, shortestRestMs * 2 ** failures++)),
      );
    };
    tryOnce();
  });
}

/** A store that throws at once has failed as well. */
async function exchanged(store: SharedStore, account: string, word: Word): Promise<Answer> {
  return store.exchange(account, word);
}
