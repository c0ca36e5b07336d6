import { pendingState, unseenState } from "#operator-words";
import type { Clock } from "../values/clock.ts";

/** How work ends whose client has left. */
export interface Departure {
  /** While it is pending the work is seen to go on, and has no limit. Nothing of the work is seen without it. */
  readonly seen?: Promise<unknown> | undefined;
  /** Settles when the work has been told to stop, as by `cancel()` of a stream: it may go on all the same. */
  readonly cancelled?: Promise<unknown> | undefined;
  /** How long the gate waits for the end of work that is not seen any more. */
  readonly graceMs: number;
  /** Bills the work. Called once: when it has ended, or is taken to have, and when its gate gives up. */
  end(): void;
}

/** Work that its client has left, as its charge knows it. */
export interface LeavingWork {
  readonly indicator: string;
  /** Whether the handler has taken the signal: it stops when that fires, and then reports. */
  heeds(): boolean;
}

/** Work that heeds the signal reports what it has used within this time of its cancellation. */
const lastReportMs = 1_000;
/** More indicators than any application has: what grows without a bound ends a process. */
const mostTold = 100;

/** The work of one gate whose clients have left. */
export class LeftWork {
  readonly clock: Clock;
  readonly #quiet: boolean;
  readonly #unseen = new Set<Leaving>();
  readonly #told = new Set<string>();
  #closed = false;

  constructor(clock: Clock, options: { readonly quiet: boolean }) {
    this.clock = clock;
    this.#quiet = options.quiet;
  }

  /** Nothing of the work is seen any more. Once the gate closes, that ends it. */
  unseen(work: Leaving): void {
    this.#unseen.add(work);
    if (this.#closed) work.end();
  }

  forget(work: Leaving): void {
    this.#unseen.delete(work);
  }

  /** Ends all work that is in its grace, and from here on each as soon as its grace begins. */
  close(): void {
    this.#closed = true;
    for (const work of this.#unseen) work.end();
  }

  /** Tells the operator, once for each indicator and `state`. */
  tell(indicator: string, graceMs: number, state: string): void {
    const said = JSON.stringify([indicator, state]);
    if (this.#quiet || this.#told.has(said) || this.#told.size === mostTold) return;
    this.#told.add(said);
    console.warn(
      `creditgate: a client left, and abortGraceMs (${graceMs} ms) later its work for indicator ` +
        `${JSON.stringify(indicator)} ${state} This is said once.`,
    );
  }
}

/** One piece of work whose client has left, until it has ended. */
export class Leaving {
  readonly #left: LeftWork;
  readonly #work: LeavingWork;
  readonly #departure: Departure;
  #state: "seen" | "unseen" | "reporting" | "ended" = "seen";
  #reported = false;
  #cancelled = false;
  #stopTimer = () => {};

  constructor(left: LeftWork, work: LeavingWork, departure: Departure) {
    this.#left = left;
    this.#work = work;
    this.#departure = departure;
  }

  /** The signal has fired. */
  begin(): void {
    const { seen, cancelled, graceMs } = this.#departure;
    cancelled?.then(this.#onCancelled, this.#onCancelled);
    if (seen === undefined) {
      this.#onUnseen();
    } else {
      this.#stopTimer = this.#left.clock.schedule(graceMs, () => {
        this.#left.tell(this.#work.indicator, graceMs, pendingState);
      });
      seen.then(this.#onUnseen, this.#onUnseen);
    }
  }

  /** The work has reported, as a model does when it has stopped. */
  reported(): void {
    this.#reported = true;
    // Its handler may have more than one report to make.
    if (this.#state === "reporting") queueMicrotask(() => this.end());
  }

  /** The work has ended, or the gate waits no longer. */
  end(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#stopTimer();
    this.#left.forget(this);
    this.#departure.end();
  }

  readonly #onUnseen = (): void => {
    if (this.#state !== "seen") return;
    this.#state = "unseen";
    this.#stopTimer();
    const { graceMs } = this.#departure;
    this.#stopTimer = this.#left.clock.schedule(graceMs, () => {
      if (this.#state === "unseen") this.#left.tell(this.#work.indicator, graceMs, unseenState);
      this.end();
    });
    this.#left.unseen(this);
    this.#judge();
  };

  readonly #onCancelled = (): void => {
    this.#cancelled = true;
    this.#judge();
  };

  /** A stream that has been cancelled is weak evidence: what pushes into it may not know. */
  #judge(): void {
    if (this.#state !== "unseen" || !this.#cancelled) return;
    if (this.#reported) this.end();
    else if (this.#work.heeds()) this.#awaitReport();
  }

  #awaitReport(): void {
    this.#state = "reporting";
    // The grace goes on: a cancellation near its end must not prolong it.
    const stopGrace = this.#stopTimer;
    const stopWait = this.#left.clock.schedule(lastReportMs, () => this.end());
    this.#stopTimer = () => {
      stopGrace();
      stopWait();
    };
  }
}
