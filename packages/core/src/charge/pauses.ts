import { backOffMs } from "@creditgate/client";
import type { Work } from "../decision/authorize-request.ts";
import { type Judgement, refused } from "../decision/trace.ts";
import type { Denial } from "../denial/denial.ts";
import type { GateSettings } from "../options/gate-options.ts";
import { attempt } from "../values/awaitable.ts";
import type { Clock } from "../values/clock.ts";
import type { DenialCode } from "../values/denial-code.ts";
import type { ExtensionRules } from "./extension.ts";

/** How work waits for credits, and who learns of it. */
export interface PauseOptions {
  /** How long it waits at most, in milliseconds, up to ten minutes. @default 60_000 */
  readonly waitMs?: number;
  /** Ends the wait. So does a client that disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Called once if the work has to wait, with what it lacks: tell the client, and where to pay. */
  readonly onPause?: ((denial: Denial) => void) | undefined;
  /** Called every 15 s of the wait: write something, such as a comment of an event stream, since proxies close a stream that is silent. The pause rejects with what it throws. */
  readonly onWait?: (() => void) | undefined;
}

const aliveMs = 15_000;
const polls = { firstMs: 5_000, longestMs: 30_000 };
/** What a payment, or the next period of a budget, can change. */
const isShort = (code: DenialCode | undefined) =>
  code === "insufficient_credits" || code === "budget_exceeded";
/** What waiting does not change; an outage meanwhile is waited through. */
const isFinal = (code: DenialCode | undefined) =>
  code === "closing" || code === "wallet_missing" || code === "customer_unknown" || code === "budget_unknown";

/** How one piece of work waits. */
export interface Wait extends Omit<PauseOptions, "waitMs"> {
  /** When it is over, by the gate's clock. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** The work of a gate that waits for credits: a line for each customer. It stands outside of the ledger, and holds nothing there. */
export class Pauses {
  /** Ends each pause, also one that waits for its outbox. */
  readonly ends: Set<() => void> = new Set();
  readonly #rules: ExtensionRules;
  readonly #settings: PauseSettings;
  readonly #lines = new Map<string, Line>();
  readonly #turns: Turns;
  #size = 0;

  constructor(rules: ExtensionRules, settings: PauseSettings) {
    this.#rules = rules;
    this.#settings = settings;
    this.#turns = new Turns(settings);
  }

  /** The judgement on the work, by the time that it can be paid or its wait is over. */
  async judge(work: Work, wait: Wait): Promise<Judgement> {
    const first = await this.#rules.judge(work);
    if (!isShort(first.code)) return first;
    if (this.#rules.closing()) return refused("closing");
    if (
      this.#size >= this.#settings.maxPaused ||
      wait.signal.aborted ||
      this.#untilReset(first) > wait.until - this.#settings.clock.now()
    )
      return first;
    this.#size++;
    try {
      const denial = await this.#rules.deny(work, first);
      const waiting = new Waiting(work, first);
      call(() => wait.onPause?.(denial), waiting);
      return await this.#wait(waiting, wait);
    } finally {
      this.#size--;
    }
  }

  /** There may be credits for the customer's work. Returns whether some waits, and then reads the balance. */
  wake(customerId: string): boolean {
    const line = this.#lines.get(customerId);
    line?.wake();
    return line !== undefined;
  }

  /** The gate closes: what waits ends now. */
  close(): void {
    for (const line of this.#lines.values())
      for (const waiting of line.waiting) waiting.end(refused("closing"));
    for (const end of this.ends) end();
  }

  /** How long the budget that stands in the way has no room yet; 0 if that is another account, `Infinity` if it has no next period. */
  #untilReset({ figures }: Judgement): number {
    const budget = figures?.budget;
    if (budget === undefined) return 0;
    const { clock } = this.#settings;
    const ms = Date.parse(budget.resetsAt ?? "") - (clock.wall?.() ?? Date.now());
    return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
  }

  async #wait(waiting: Waiting, { until, signal, onWait }: Wait): Promise<Judgement> {
    const { clock } = this.#settings;
    const { customerId } = waiting.work;
    const end = () => waiting.end(waiting.last);
    let cancelAlive = () => {};
    const alive = () => {
      cancelAlive = clock.schedule(aliveMs, alive);
      call(() => onWait?.(), waiting);
    };
    if (onWait !== undefined) cancelAlive = clock.schedule(aliveMs, alive);
    const cancel = clock.schedule(Math.max(0, until - clock.now()), end);
    signal.addEventListener("abort", end, { once: true });
    const line = this.#lines.get(customerId) ?? new Line(clock);
    line.waiting.add(waiting);
    if (!this.#lines.has(customerId)) {
      this.#lines.set(customerId, line);
      void this.#serve(customerId, line);
    }
    const resetMs = this.#untilReset(waiting.last);
    const cancelReset = resetMs > 0 ? clock.schedule(resetMs, () => line.wake(true)) : () => {};
    // The client may have left while the denial was drawn up.
    if (signal.aborted) end();
    if (this.#rules.closing()) waiting.end(refused("closing"));
    try {
      return await waiting.done;
    } finally {
      cancel();
      cancelAlive();
      cancelReset();
      signal.removeEventListener("abort", end);
      line.waiting.delete(waiting);
      // The last one ends the line.
      if (line.waiting.size === 0) line.wake();
    }
  }

  /** Tries the work of a customer whenever there may be credits, and now and then. */
  async #serve(customerId: string, line: Line): Promise<void> {
    const { random } = this.#settings;
    while (line.waiting.size > 0) {
      await line.rest(backOffMs(++line.tries, { ...polls, random }));
      await this.#tryAll([...line.waiting]);
    }
    this.#lines.delete(customerId);
  }

  async #tryAll(line: readonly Waiting[]): Promise<void> {
    const short = new Map<unknown, number>();
    for (const waiting of line) {
      const { budgets, least } = waiting.work;
      // A budget that has too little for one has too little for the next: each would cost a balance request.
      if (budgets?.some((budget) => least >= (short.get(budget) ?? Number.POSITIVE_INFINITY))) continue;
      if (!(await this.#try(waiting))) return;
      const { code, figures } = waiting.last;
      if (!waiting.isOver && code === "budget_exceeded") short.set(figures?.budget?.key, least);
    }
  }

  /** Returns whether the next in the line is to be tried: what only a budget of its own stops is passed over. */
  async #try(waiting: Waiting): Promise<boolean> {
    let judged = await this.#judge(waiting);
    if (judged.hold !== undefined && !this.#turns.take()) {
      // Until its turn it holds nothing: others may need the credits.
      await judged.account?.release(judged.hold);
      if (!(await this.#turns.wait(waiting))) return true;
      judged = await this.#judge(waiting);
      if (judged.hold === undefined) this.#turns.giveBack();
    }
    if (judged.hold === undefined) {
      if (isFinal(judged.code)) waiting.end(judged);
      waiting.last = judged;
      return judged.code === "budget_exceeded" || waiting.isOver;
    }
    if (!waiting.isOver) waiting.end(judged);
    else {
      this.#turns.giveBack();
      await judged.account?.release(judged.hold);
    }
    return true;
  }

  /** Why the work cannot go on, if its wait is over meanwhile: a judgement that hangs keeps nobody else waiting. */
  async #judge(waiting: Waiting): Promise<Judgement> {
    if (waiting.isOver) return waiting.last;
    // What `wallet()` throws is not this work's: it waits on.
    const judging = Promise.resolve(this.#rules.judge(waiting.work)).catch(() => waiting.last);
    const judged = await Promise.race([judging, waiting.over]);
    if (judged !== undefined) return judged;
    void judging.then(({ account, hold }) => hold && account?.release(hold));
    return waiting.last;
  }
}

/** Lets so many pieces of work go on in a second, in the order in which they ask. */
class Turns {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #asking = new Set<() => void>();
  #nextAt = Number.NEGATIVE_INFINITY;
  #cancel = () => {};

  constructor({ clock, resumesPerSecond }: PauseSettings) {
    this.#clock = clock;
    this.#everyMs = 1_000 / resumesPerSecond;
  }

  /** Returns whether there is a turn now, which is taken. */
  take(): boolean {
    if (this.#asking.size > 0 || this.#clock.now() < this.#nextAt) return false;
    this.#nextAt = this.#clock.now() + this.#everyMs;
    return true;
  }

  /** Resolves to whether the turn has come before the wait was over. */
  async wait(waiting: Waiting): Promise<boolean> {
    let hasTurn = false;
    let ask = () => {};
    const turn = new Promise<void>((resolve) => {
      ask = () => {
        hasTurn = true;
        resolve();
      };
    });
    this.#asking.add(ask);
    this.#schedule();
    await Promise.race([turn, waiting.over]);
    this.#asking.delete(ask);
    if (this.#asking.size === 0) this.#cancel();
    return hasTurn;
  }

  /** The turn was of no use. */
  giveBack(): void {
    this.#nextAt -= this.#everyMs;
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel();
    if (this.#asking.size === 0) return;
    const delayMs = Math.max(0, this.#nextAt - this.#clock.now());
    this.#cancel = this.#clock.schedule(delayMs, () => {
      const [ask] = this.#asking;
      if (ask === undefined) return;
      this.#asking.delete(ask);
      this.#nextAt = this.#clock.now() + this.#everyMs;
      ask();
      this.#schedule();
    });
  }
}

type PauseSettings = Pick<GateSettings, "clock" | "random" | "maxPaused" | "resumesPerSecond">;

/** What the caller's function throws, or rejects with, ends the pause. */
function call(step: () => unknown, waiting: Waiting): void {
  const called = attempt(step);
  if (called instanceof Promise) called.catch((error: unknown) => waiting.fail(error));
}

const nothing = () => {};

/** A piece of work that waits. */
class Waiting {
  readonly work: Work;
  /** Why it could not go on when it was tried last. */
  last: Judgement;
  isOver = false;
  readonly done: Promise<Judgement>;
  /** Resolves when it is over, however it ends. */
  readonly over: Promise<void>;
  #resolve: (judgement: Judgement) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(work: Work, last: Judgement) {
    this.work = work;
    this.last = last;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.over = this.done.then(nothing, nothing);
  }

  end(judgement: Judgement): void {
    this.isOver = true;
    this.#resolve(judgement);
  }

  /** A callback of the application threw: from a timer, that would end the process. */
  fail(error: unknown): void {
    this.isOver = true;
    this.#reject(error);
  }
}

/** The work of one customer that waits, in the order in which it came. */
class Line {
  readonly waiting = new Set<Waiting>();
  readonly #clock: Clock;
  /** Since a budget was to begin anew, if one was. */
  tries = 0;
  #isWoken = false;
  #wake = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `isReset`: a budget should have begun anew, though a replica whose clock is behind may not show that for some seconds. */
  wake(isReset = false): void {
    if (isReset) this.tries = 0;
    this.#isWoken = true;
    this.#wake();
  }

  /** Resolves when it is woken, or after `ms`. */
  async rest(ms: number): Promise<void> {
    if (!this.#isWoken)
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.schedule(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    this.#isWoken = false;
  }
}
