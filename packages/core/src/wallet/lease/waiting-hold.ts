import type { WalletKind } from "../capacity.ts";
import type { Hold, Standing } from "../ledger.ts";

/** A hold that memory cannot answer. */
export interface WaitingHold {
  readonly amount: number;
  readonly kind: WalletKind;
  /** On the clock of the process: an older balance must not admit it. */
  readonly notBefore: number;
  /** The word that has said it; `undefined` while none has. */
  saidIn: number | undefined;
  readonly answer: (result: Hold | Standing) => void;
}

/** The holds of an account that wait, in the order in which they came. */
export class WaitingHolds {
  #holds: WaitingHold[] = [];

  get none(): boolean {
    return this.#holds.length === 0;
  }

  get first(): WaitingHold | undefined {
    return this.#holds[0];
  }

  add(hold: WaitingHold): void {
    this.#holds.push(hold);
  }

  remove(hold: WaitingHold): void {
    this.#holds = this.#holds.filter((other) => other !== hold);
  }

  /** What a word says of them: one word is for wallets of one kind. */
  sayIn(seq: number): { readonly first: number; readonly need: number } {
    const { first } = this;
    if (first === undefined) return { first: 0, need: 0 };
    let need = 0;
    for (const hold of this.#holds) {
      if (hold.kind !== first.kind) continue;
      hold.saidIn ??= seq;
      need = Math.min(need + hold.amount, Number.MAX_SAFE_INTEGER);
    }
    return { first: first.amount, need };
  }

  /** Answers those of them that this word has said, or one before it. */
  end(seq: number, which: (hold: WaitingHold) => boolean, standing: (hold: WaitingHold) => Standing): void {
    const isEnded = (hold: WaitingHold) => hold.saidIn !== undefined && hold.saidIn <= seq && which(hold);
    const ended = this.#holds.filter(isEnded);
    this.#holds = this.#holds.filter((hold) => !isEnded(hold));
    for (const hold of ended) hold.answer(standing(hold));
  }
}
