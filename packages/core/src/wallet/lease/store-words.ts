import { backOffMs } from "@creditgate/client";
import type { Clock } from "../../values/clock.ts";
import type { Answer, SharedStore, Word } from "./shared-store.ts";
import { StoreTrouble } from "./store-trouble.ts";
import { Turns } from "./turns.ts";

/** Words of one ledger on their way at once: enough for a pool of connections, and too few to wait for long in its queue. */
const mostAtOnce = 100;
/** Of a store that does not say how long an exchange may take. */
const usualTimeoutMs = 5_000;
const rests = { firstMs: 20, longestMs: 500 };

interface StoreWordsOptions {
  readonly store: SharedStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** How long a request waits for the store. */
  readonly requestMs: () => number;
  /** Told what keeps requests from being decided. */
  readonly tell: (trouble: unknown) => void;
}

/** A word that an account has to say. */
interface Speech<Said> {
  /** Whether a request waits for it: then it goes before the others. */
  isUrgent(): boolean;
  /** Called when it may leave, so that it says what there is then. */
  compose(): Said;
}

/** The words of a ledger on their way to its store: a limited number at once, and each again until it is answered. */
export class StoreWords {
  readonly #options: StoreWordsOptions;
  readonly #turns = new Turns(mostAtOnce);
  #isClosed = false;

  constructor(options: StoreWordsOptions) {
    this.#options = options;
  }

  /**
   * Says a word until the store answers it: verbatim, so that it has one effect however often it arrives, and not before it has failed
   * or its time has run out. Where it is not known whether it has arrived, nothing else can be said.
   */
  async say<Said extends { readonly word: Word }>(
    account: string,
    { isUrgent, compose }: Speech<Said>,
  ): Promise<{ readonly saying: Said; readonly answer: Answer }> {
    const { clock, random, tell } = this.#options;
    const askedAt = clock.now();
    await this.#turns.take(isUrgent);
    const saying = compose();
    for (let failures = 1; ; failures++) {
      try {
        const answer = await this.#exchange(account, saying.word);
        this.#hear(saying.word, answer, clock.now() - askedAt);
        return { saying, answer };
      } catch (error) {
        if (this.#isClosed) return new Promise(() => {});
        tell(error);
      }
      const restMs = backOffMs(failures, { ...rests, random });
      await new Promise<void>((resolve) => clock.schedule(restMs, resolve, { idle: true }));
      await this.#turns.take(isUrgent);
    }
  }

  /** What has failed from now on is not said again, and its `say` has no end. */
  close(): void {
    this.#isClosed = true;
  }

  /** One attempt, which gives its turn back when it is over. */
  #exchange(account: string, word: Word): Promise<Answer> {
    const { store, clock } = this.#options;
    const { timeoutMs = usualTimeoutMs } = store;
    return new Promise((resolve, reject) => {
      const cancel = clock.schedule(
        timeoutMs,
        () => end(() => reject(new StoreTrouble("silent", `no answer in ${timeoutMs} ms`))),
        { idle: true },
      );
      let isOver = false;
      const end = (settle: () => void) => {
        if (isOver) return;
        isOver = true;
        cancel();
        this.#turns.giveBack();
        settle();
      };
      exchanged(store, account, word).then(
        (answer) => end(() => resolve(answer)),
        (error: unknown) => end(() => reject(error)),
      );
    });
  }

  #hear({ terms }: Word, { status, calm, now, born }: Answer, tookMs: number): void {
    const { requestMs, tell } = this.#options;
    if (tookMs > requestMs()) {
      tell(
        new StoreTrouble(
          "slow",
          `an answer took ${Math.round(tookMs)} ms, and requests wait ${requestMs()} ms`,
        ),
      );
    }
    if (status === "repeated" || calm || now >= born + terms.leaseMs) return;
    const seconds = (born + terms.leaseMs - now) / 1_000;
    tell(
      new StoreTrouble(
        "new",
        `it has not been used before, or has lost its memory, and grants nothing for ${seconds} s`,
      ),
    );
  }
}

/** A store that throws at once has failed as well. */
async function exchanged(store: SharedStore, account: string, word: Word): Promise<Answer> {
  return store.exchange(account, word);
}
