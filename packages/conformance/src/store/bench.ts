import {
  emptyRequest,
  type Snapshot,
  type SyncRequest,
  type SyncResponse,
  type Terms,
} from "@creditgate/fleet";
import { same } from "../ledger/bench.ts";
import { type AccountPart, ModelledStore, type SharedStoreOnTrial } from "./model.ts";

/** Long enough that no real store takes so long for a step. */
export const terms: Terms = {
  leaseMs: 5_000,
  lagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 0,
  requestMs: 5_000,
  windowMs: 100,
};

/** What a directed case says in a sync; the rest of it is nothing. */
export type RequestFields = Partial<Omit<SyncRequest, "id" | "seq">>;

/** Behaviours of stores, each with its check. */
export type StoreCases = { readonly [behaviour: string]: (bench: StoreBench) => Promise<void> };

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

  /** The next sync of this process. */
  async sync(id: string, fields: RequestFields = {}): Promise<SyncResponse> {
    if (this.#now === null) await this.send(requestOf("nobody", 1, {}));
    const known = this.#processes.get(id);
    const process = known ?? { seq: 0, epoch: this.#epoch };
    this.#processes.set(id, process);
    process.seq++;
    const { epoch } = process;
    return this.send(
      requestOf(id, process.seq, { epoch, at: this.#now, register: known === undefined, ...fields }),
    );
  }

  /** A sync as it is: a copy of an earlier one, or a made-up one. */
  async send(request: SyncRequest): Promise<SyncResponse> {
    const answer = await this.#model.exchange(this.#account, request);
    const process = this.#processes.get(request.id);
    if (process !== undefined) process.epoch = answer.epoch;
    this.#epoch = answer.epoch;
    this.#now = answer.now;
    return answer;
  }

  /** A balance that was asked for now is installed, by a process that has nothing. */
  async read(capacity: Snapshot["prepaid"], more: Partial<Snapshot> = {}): Promise<SyncResponse> {
    const { epoch, now } = await this.leave();
    return this.sync("reader", {
      snapshot: { stamp: now, epoch, prepaid: capacity, postpaid: capacity, extended: false, ...more },
    });
  }

  /** A balance request leaves, whether or not another one is on its way. */
  async leave(): Promise<SyncResponse> {
    await this.advance(1);
    return this.sync("reader", { refresh: "now", terms: { ...terms, requestMs: 0 } });
  }

  /** The store knows a balance, and is out of its quarantine. */
  async begin(capacity: number): Promise<void> {
    await this.sync("reader");
    await this.advance(terms.leaseMs + terms.lagMs + 1);
    const { calm } = await this.read(capacity);
    same("calm", calm, true);
  }

  /** A reservation for a hold of this amount, which must be granted. */
  async hold(id: string, amount: number, more: RequestFields = {}): Promise<SyncResponse> {
    const answer = await this.sync(id, { first: amount, need: amount, ...more });
    same("denied", answer.denied, false);
    return answer;
  }
}

/** A sync that says this, and otherwise nothing. */
export function requestOf(id: string, seq: number, fields: RequestFields): SyncRequest {
  const { base = 0, keep = base, ...rest } = fields;
  return { ...emptyRequest, id, seq, base, keep, claim: keep, terms, ...rest };
}

/** Throws unless the answer has these figures. */
export function answers(answer: SyncResponse, figures: Partial<SyncResponse>): void {
  for (const [figure, expected] of Object.entries(figures)) {
    same(figure, answer[figure as keyof SyncResponse], expected);
  }
}
