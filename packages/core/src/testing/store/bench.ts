import { emptyWord } from "../../wallet/lease/empty-word.ts";
import type { Answer, Snapshot, Terms, Word } from "../../wallet/lease/shared-store.ts";
import { same } from "../ledger/bench.ts";
import { ModelledStore } from "./model.ts";
import type { AccountPart, SharedStoreOnTrial } from "./trial.ts";

/** Long enough that no real store takes so long for a step. */
export const terms: Terms = {
  leaseMs: 5_000,
  lagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 0,
  requestMs: 5_000,
  tickMs: 100,
};

/** What a directed case says in a word; the rest of it is nothing. */
export type Said = Partial<Omit<Word, "id" | "seq">>;

/** One account of a store, and short ways to speak of it. Every answer is held against the model. */
export class StoreBench {
  readonly #trial: SharedStoreOnTrial;
  readonly #account: string;
  readonly #model: ModelledStore;
  readonly #processes = new Map<string, { seq: number; epoch: string | null }>();
  #now: number | null = null;
  #epoch: string | null = null;

  constructor(trial: SharedStoreOnTrial, account: string) {
    this.#trial = trial;
    this.#account = account;
    this.#model = new ModelledStore(trial.store);
  }

  /** Another account of the same store. */
  other(name = "other"): StoreBench {
    return new StoreBench(this.#trial, `${this.#account}:${name}`);
  }

  async advance(ms: number): Promise<void> {
    await this.#trial.advance(ms);
    if (this.#now !== null) this.#now += ms;
  }

  /** The clock of the store steps back; throws where the trial has no way to. */
  async stepBack(ms: number): Promise<void> {
    if (this.#trial.stepBack === undefined) throw new Error("stepBack: expected a trial that has it");
    await this.#trial.stepBack(ms);
  }

  /** The store is restarted; throws where the trial has no way to. */
  async restart(): Promise<void> {
    if (this.#trial.restart === undefined) throw new Error("restart: expected a trial that has it");
    await this.#trial.restart();
    this.#model.expectNewEpoch();
  }

  /** A part of the account is gone; throws where the trial has no way to. */
  async lose(part: AccountPart): Promise<void> {
    if (this.#trial.lose === undefined) throw new Error("lose: expected a trial that has it");
    await this.#trial.lose(this.#account, part);
    this.#model.lose(this.#account, part);
  }

  /** The next word of this process. */
  async say(id: string, said: Said = {}): Promise<Answer> {
    if (this.#now === null) await this.send(wordOf("nobody", 1, {}));
    const known = this.#processes.get(id);
    const process = known ?? { seq: 0, epoch: this.#epoch };
    this.#processes.set(id, process);
    process.seq++;
    const { epoch } = process;
    return this.send(
      wordOf(id, process.seq, { epoch, at: this.#now, register: known === undefined, ...said }),
    );
  }

  /** A word as it is: a copy of an earlier one, or a made-up one. */
  async send(word: Word): Promise<Answer> {
    const answer = await this.#model.exchange(this.#account, word);
    const process = this.#processes.get(word.id);
    if (process !== undefined) process.epoch = answer.epoch;
    this.#epoch = answer.epoch;
    this.#now = answer.now;
    return answer;
  }

  /** A balance that was asked for now is installed, by a process that has nothing. */
  async read(capacity: Snapshot["prepaid"], more: Partial<Snapshot> = {}): Promise<Answer> {
    const { epoch, now } = await this.leave();
    return this.say("reader", {
      snapshot: { stamp: now, epoch, prepaid: capacity, postpaid: capacity, tells: false, ...more },
    });
  }

  /** A balance request leaves, whether or not another one is on its way. */
  async leave(): Promise<Answer> {
    await this.advance(1);
    return this.say("reader", { news: "now", terms: { ...terms, requestMs: 0 } });
  }

  /** The store knows a balance, and is out of its quarantine. */
  async begin(capacity: number): Promise<void> {
    await this.say("reader");
    await this.advance(terms.leaseMs + terms.lagMs + 1);
    const { calm } = await this.read(capacity);
    same("calm", calm, true);
  }

  /** A block for a hold of this amount, which must be granted. */
  async hold(id: string, amount: number, more: Said = {}): Promise<Answer> {
    const answer = await this.say(id, { first: amount, need: amount, ...more });
    same("denied", answer.denied, false);
    return answer;
  }
}

/** A word that says this, and otherwise nothing. */
export function wordOf(id: string, seq: number, said: Said): Word {
  const { base = 0, keep = base, ...rest } = said;
  return { ...emptyWord, id, seq, base, keep, claim: keep, terms, ...rest };
}

/** Throws unless the answer has these figures. */
export function answers(answer: Answer, figures: Partial<Answer>): void {
  for (const [figure, expected] of Object.entries(figures)) {
    same(figure, answer[figure as keyof Answer], expected);
  }
}
