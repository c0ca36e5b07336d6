import {
  type AccountState,
  type Answer,
  type Block,
  createAccountState,
  exchange,
  type Tick,
  type Word,
} from "@creditgate/core";
import { setBlock, timeAt } from "@creditgate/core/parts";
import { NotedMap } from "./noted-map.ts";
import { numberIn, type ObjectStorage, textIn } from "./storage.ts";

/** What a {@link StoredAccount} is made of. */
export interface StoredAccountOptions {
  readonly storage: ObjectStorage;
  /** Of the tables. */
  readonly prefix: string;
  /** Milliseconds; it may step back. */
  readonly clock: () => number;
  /**
   * Of this object's memory: in another one the times of acknowledgements count anew, for another machine has another clock, and
   * the balance is read again.
   */
  readonly epoch: string;
}

/** The figures that stand in one row; blocks and ticks have rows of their own. */
type Figures = Omit<AccountState, "blocks" | "ticks">;

/** An account in memory and in the storage of its object, which are the same after each step. */
export class StoredAccount {
  readonly epoch: string;
  readonly #storage: ObjectStorage;
  readonly #prefix: string;
  readonly #clock: () => number;
  readonly #state: AccountState;
  readonly #blocks = new NotedMap<string, Block>();
  readonly #ticks = new NotedMap<number, Tick>();
  /** The figures as they are stored. */
  #saved = "";

  constructor({ storage, prefix, clock, epoch }: StoredAccountOptions) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#clock = clock;
    this.epoch = epoch;
    this.#state = { ...createAccountState(), ...this.#load(), blocks: this.#blocks, ticks: this.#ticks };
    // All that was stamped by the clock of an earlier memory is stamped anew: that clock may have been ahead.
    if (this.#state.epoch !== epoch) this.#state.now = this.#state.clock = Math.floor(clock());
  }

  get figures(): Readonly<AccountState> {
    return this.#state;
  }

  /** The time of the account: whole milliseconds, which never step back. */
  get now(): number {
    return timeAt(this.#state, Math.floor(this.#clock()));
  }

  /** Lets the time go on by at least a millisecond, also where the clock stands still or is behind. */
  advance(): number {
    const now = this.now + 1;
    this.#state.clock = Math.floor(this.#clock());
    this.#state.now = now;
    return this.#state.now;
  }

  /** When the first block counts as usage unless it is renewed; `null` where none does. */
  get firstGoneAt(): number | null {
    let first: number | null = null;
    for (const { goneAt } of this.#blocks.values()) {
      if (goneAt !== null && (first === null || goneAt < first)) first = goneAt;
    }
    return first;
  }

  /**
   * Does the step, and writes what it has changed. `keepsEmpty`: a block of 0 stays, so that a late copy of an earlier word does not
   * bring it back; words that this object itself says have no late copies.
   */
  step(word: Word, keepsEmpty = false): Answer {
    // Nothing can have been before the storage of the object, and it is never behind: there is no quarantine.
    const instant = { clock: Math.floor(this.#clock()), epoch: this.epoch, born: Number.MIN_SAFE_INTEGER };
    const answer = exchange(this.#state, word, instant);
    if (!keepsEmpty && this.#blocks.get(word.id)?.amount === 0) setBlock(this.#state, word.id, undefined);
    this.#save();
    return answer;
  }

  /** Frees the block of this id. */
  free(id: string): void {
    if (!this.#blocks.has(id)) return;
    setBlock(this.#state, id, undefined);
    this.#save();
  }

  #load(): Figures | undefined {
    const { sql } = this.#storage;
    const prefix = this.#prefix;
    const [row] = sql.exec(`SELECT value FROM ${prefix}_fact WHERE name = 'account'`);
    if (row === undefined) return undefined;
    for (const block of sql.exec(`SELECT * FROM ${prefix}_block`)) {
      this.#blocks.set(textIn(block, "id"), {
        amount: numberIn(block, "amount"),
        free: numberIn(block, "free"),
        seq: numberIn(block, "seq"),
        expiresAt: numberIn(block, "expires_at"),
        goneAt: block.gone_at === null ? null : numberIn(block, "gone_at"),
        recalls: numberIn(block, "recalls"),
      });
    }
    for (const tick of sql.exec(`SELECT * FROM ${prefix}_tick`)) {
      this.#ticks.set(numberIn(tick, "ends_at"), {
        amount: numberIn(tick, "amount"),
        queued: numberIn(tick, "queued"),
      });
    }
    this.#blocks.takeTouched();
    this.#ticks.takeTouched();
    // As it was written, by this version or an older one.
    return JSON.parse(textIn(row, "value")) as Figures;
  }

  #save(): void {
    this.#storage.transactionSync(() => {
      for (const id of this.#blocks.takeTouched()) this.#saveBlock(id);
      for (const end of this.#ticks.takeTouched()) this.#saveTick(end);
      this.#saveFigures();
    });
  }

  #saveBlock(id: string): void {
    const { sql } = this.#storage;
    const block = this.#blocks.get(id);
    if (block === undefined) {
      sql.exec(`DELETE FROM ${this.#prefix}_block WHERE id = ?`, id);
      return;
    }
    const { amount, free, seq, expiresAt, goneAt, recalls } = block;
    sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_block (id, amount, free, seq, expires_at, gone_at, recalls) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      amount,
      free,
      seq,
      expiresAt,
      goneAt,
      recalls,
    );
  }

  #saveTick(end: number): void {
    const { sql } = this.#storage;
    const tick = this.#ticks.get(end);
    if (tick === undefined) {
      sql.exec(`DELETE FROM ${this.#prefix}_tick WHERE ends_at = ?`, end);
      return;
    }
    sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_tick (ends_at, amount, queued) VALUES (?, ?, ?)`,
      end,
      tick.amount,
      tick.queued,
    );
  }

  /** Not where no more than the time has changed: work that is denied writes nothing. */
  #saveFigures(): void {
    const { blocks: _, ticks: __, ...figures } = this.#state;
    const { now: ___, clock: ____, ...lasting } = figures;
    const text = JSON.stringify(lasting);
    if (text === this.#saved) return;
    this.#storage.sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_fact (name, value) VALUES ('account', ?)`,
      JSON.stringify(figures),
    );
    this.#saved = text;
  }
}
