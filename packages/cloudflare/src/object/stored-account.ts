import {
  type AccountState,
  createAccountState,
  exchange,
  type Reservation,
  type SyncRequest,
  type SyncResponse,
  setReservation,
  timeAt,
  type UsageWindow,
} from "@creditgate/fleet";
import { numberIn, type ObjectStorage, textIn } from "./storage.ts";

/** What a {@link StoredAccount} is made of. */
export interface StoredAccountOptions {
  readonly storage: ObjectStorage;
  /** Of the tables. */
  readonly prefix: string;
  /** Whose it is: a budget's, by its key. @default the wallet's */
  readonly budget?: string;
  /** Milliseconds; it may step back. */
  readonly clock: () => number;
  /**
   * Of this object's memory: in another one the times of acknowledgements count anew, for another machine has another clock, and
   * the balance is read again.
   */
  readonly epoch: string;
}

/** The figures that stand in one row; reservations and windows have rows of their own. */
interface Figures extends Omit<AccountState, "reservations" | "windows"> {
  /** Of a budget; absent as long as none has been read. */
  readonly period?: number | undefined;
}

/** An account in memory and in the storage of its object, which are the same after each step. */
export class StoredAccount {
  readonly epoch: string;
  readonly #storage: ObjectStorage;
  readonly #prefix: string;
  readonly #budget: string;
  readonly #clock: () => number;
  readonly #state: AccountState;
  readonly #reservations = new NotedMap<string, Reservation>();
  readonly #windows = new NotedMap<number, UsageWindow>();
  /** The figures as they are stored. */
  #saved = "";
  #period: number | undefined;

  constructor({ storage, prefix, budget = "", clock, epoch }: StoredAccountOptions) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#budget = budget;
    this.#clock = clock;
    this.epoch = epoch;
    const { period, ...loaded } = this.#load() ?? {};
    this.#period = period;
    this.#state = {
      ...createAccountState(),
      ...loaded,
      reservations: this.#reservations,
      windows: this.#windows,
    };
    // All that was stamped by the clock of an earlier memory is stamped anew: that clock may have been ahead.
    if (this.#state.epoch !== epoch) this.#state.now = this.#state.clock = Math.floor(clock());
  }

  get figures(): Readonly<AccountState> {
    return this.#state;
  }

  /** Of a budget: when the newest period began that a balance has shown, in this memory or an earlier one. */
  get period(): number | undefined {
    return this.#period;
  }

  /** The time of the account: whole milliseconds, which never step back. */
  get now(): number {
    const clock = Math.floor(this.#clock());
    this.#state.now = timeAt(this.#state, clock);
    this.#state.clock = clock;
    return this.#state.now;
  }

  /** Lets the time go on by at least a millisecond, also where the clock stands still or is behind. */
  advance(): number {
    this.#state.now = this.now + 1;
    return this.#state.now;
  }

  /** When the first reservation counts as usage unless it is renewed; `null` where none does. */
  get firstGoneAt(): number | null {
    let first: number | null = null;
    for (const { goneAt } of this.#reservations.values()) {
      if (goneAt !== null && (first === null || goneAt < first)) first = goneAt;
    }
    return first;
  }

  /**
   * Does the step, and writes what it has changed. `keepsEmpty`: a reservation of 0 stays, so that a late copy of an earlier sync does not
   * bring it back; syncs that this object itself says have no late copies.
   */
  step(request: SyncRequest, keepsEmpty = false): SyncResponse {
    // Nothing can have been before the storage of the object, and it is never behind: there is no quarantine.
    const instant = { clock: Math.floor(this.#clock()), epoch: this.epoch, born: Number.MIN_SAFE_INTEGER };
    const answer = exchange(this.#state, request, instant);
    const { postpaid } = this.#state;
    // In the place of a capacity that a budget does not have.
    if (this.#budget !== "" && typeof postpaid === "number" && postpaid > (this.#period ?? 0))
      this.#period = postpaid;
    if (!keepsEmpty && this.#reservations.get(request.id)?.amount === 0)
      setReservation(this.#state, request.id, undefined);
    this.#save();
    return answer;
  }

  /** Frees the reservation of this id. */
  free(id: string): void {
    if (!this.#reservations.has(id)) return;
    setReservation(this.#state, id, undefined);
    this.#save();
  }

  #load(): Figures | undefined {
    const { sql } = this.#storage;
    const prefix = this.#prefix;
    const [row] = sql.exec(`SELECT figures FROM ${prefix}_account WHERE budget = ?`, this.#budget);
    if (row === undefined) return undefined;
    const reservations = `SELECT * FROM ${prefix}_reservation WHERE budget = ?`;
    for (const reservation of sql.exec(reservations, this.#budget)) {
      this.#reservations.set(textIn(reservation, "id"), {
        amount: numberIn(reservation, "amount"),
        free: numberIn(reservation, "free"),
        seq: numberIn(reservation, "seq"),
        expiresAt: numberIn(reservation, "expires_at"),
        goneAt: reservation.gone_at === null ? null : numberIn(reservation, "gone_at"),
        recalls: numberIn(reservation, "recalls"),
      });
    }
    for (const window of sql.exec(`SELECT * FROM ${prefix}_window WHERE budget = ?`, this.#budget)) {
      this.#windows.set(numberIn(window, "ends_at"), {
        amount: numberIn(window, "amount"),
        queued: numberIn(window, "queued"),
      });
    }
    this.#reservations.takeTouched();
    this.#windows.takeTouched();
    // As it was written, by this version or an older one.
    this.#saved = textIn(row, "figures");
    return JSON.parse(this.#saved) as Figures;
  }

  #save(): void {
    this.#storage.transactionSync(() => {
      for (const id of this.#reservations.takeTouched()) this.#saveReservation(id);
      for (const end of this.#windows.takeTouched()) this.#saveWindow(end);
      this.#saveFigures();
    });
  }

  #saveReservation(id: string): void {
    const { sql } = this.#storage;
    const reservation = this.#reservations.get(id);
    if (reservation === undefined) {
      sql.exec(`DELETE FROM ${this.#prefix}_reservation WHERE id = ? AND budget = ?`, id, this.#budget);
      return;
    }
    const { amount, free, seq, expiresAt, goneAt, recalls } = reservation;
    sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_reservation (id, budget, amount, free, seq, expires_at, gone_at, recalls) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      this.#budget,
      amount,
      free,
      seq,
      expiresAt,
      goneAt,
      recalls,
    );
  }

  #saveWindow(end: number): void {
    const { sql } = this.#storage;
    const window = this.#windows.get(end);
    if (window === undefined) {
      sql.exec(`DELETE FROM ${this.#prefix}_window WHERE budget = ? AND ends_at = ?`, this.#budget, end);
      return;
    }
    sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_window (budget, ends_at, amount, queued) VALUES (?, ?, ?, ?)`,
      this.#budget,
      end,
      window.amount,
      window.queued,
    );
  }

  /** Not where no more than the time has changed, nor before a budget has anything to lose: work that is denied writes nothing. */
  #saveFigures(): void {
    const { reservations: _, windows: __, ...state } = this.#state;
    const figures: Figures = { ...state, period: this.#period };
    const { now: ___, clock: ____, ...durable } = figures;
    const text = JSON.stringify(durable);
    const isNew = this.#budget !== "" && this.#saved === "";
    if (isNew && this.#reservations.size + this.#windows.size === 0) return;
    if (text === this.#saved) return;
    this.#storage.sql.exec(
      `INSERT OR REPLACE INTO ${this.#prefix}_account (budget, figures) VALUES (?, ?)`,
      this.#budget,
      JSON.stringify(figures),
    );
    this.#saved = text;
  }
}

/** A map that notes which of its keys have been set or deleted, so that no more than those need be written. */
export class NotedMap<Key, Value> extends Map<Key, Value> {
  // Not private: the constructor of Map sets entries before fields of ours are there.
  touched: Set<Key> | undefined;

  override set(key: Key, value: Value): this {
    this.touch(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    this.touch(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.touch(key);
    super.clear();
  }

  /** The keys that were touched since this was called last. */
  takeTouched(): ReadonlySet<Key> {
    const touched = this.touched ?? new Set<Key>();
    this.touched = undefined;
    return touched;
  }

  private touch(key: Key): void {
    this.touched ??= new Set();
    this.touched.add(key);
  }
}
