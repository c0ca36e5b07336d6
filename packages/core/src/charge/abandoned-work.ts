import { abandonedLine, pendingState, unseenState } from "#operator-messages";
import type { Clock } from "../values/clock.ts";

/** How the gate notices the end of work after a disconnect. */
export interface Disconnect {
  /** While it is pending the work is seen to go on, and has no limit. Nothing of the work is seen without it. */
  readonly seen?: Promise<unknown> | undefined;
  /** Settles when the work has received a cancellation, such as `cancel()` of a stream. The work may go on all the same. */
  readonly cancelled?: Promise<unknown> | undefined;
  /** How long the gate waits for the end of work that is not seen any more. */
  readonly graceMs: number;
  /** Bills the work. Called once: when it has ended, or is taken to have, and when its gate gives up. */
  end(): void;
}

/** What a charge shows of its work after the signal has fired. */
export interface SignalledWork {
  readonly indicator: string;
  /** Whether the handler has taken the signal: it stops when that fires, and then reports. */
  usesSignal(): boolean;
}

/** Work that usesSignal the signal reports what it has used within this time of its cancellation. */
const lastReportMs = 1_000;
/** More indicators than any application has: what grows without a bound ends a process. */
const mostLogged = 100;

/** The abandoned work of one gate. */
export class AbandonedWork {
  readonly clock: Clock;
  readonly #quiet: boolean;
  readonly #unseen = new Set<AbandonedCharge>();
  readonly #logged = new Set<string>();
  #closed = false;

  constructor(clock: Clock, options: { readonly quiet: boolean }) {
    this.clock = clock;
    this.#quiet = options.quiet;
  }

  /** Nothing of the work is seen any more. Once the gate closes, that ends it. */
  unseen(work: AbandonedCharge): void {
    this.#unseen.add(work);
    if (this.#closed) work.end();
  }

  forget(work: AbandonedCharge): void {
    this.#unseen.delete(work);
  }

  /** Ends all work that is in its grace, and from here on each as soon as its grace begins. */
  close(): void {
    this.#closed = true;
    for (const work of this.#unseen) work.end();
  }

  /** Logs a line, once for each indicator and `state`. */
  log(indicator: string, graceMs: number, state: string): void {
    const line = JSON.stringify([indicator, state]);
    if (this.#quiet || this.#logged.has(line) || this.#logged.size === mostLogged) return;
    this.#logged.add(line);
    console.warn(abandonedLine(JSON.stringify(indicator), graceMs, state));
  }
}

/** One piece of abandoned work, until it has ended. */
export class AbandonedCharge {
  readonly #all: AbandonedWork;
  readonly #work: SignalledWork;
  readonly #disconnect: Disconnect;
  #state: "seen" | "unseen" | "reporting" | "ended" = "seen";
  #reported = false;
  #cancelled = false;
  #stopTimer = () => {};

  constructor(all: AbandonedWork, work: SignalledWork, disconnect: Disconnect) {
    this.#all = all;
    this.#work = work;
    this.#disconnect = disconnect;
  }

  /** The signal has fired. */
  begin(): void {
    const { seen, cancelled, graceMs } = this.#disconnect;
    cancelled?.then(this.#onCancelled, this.#onCancelled);
    if (seen === undefined) {
      this.#onUnseen();
    } else {
      this.#stopTimer = this.#all.clock.schedule(graceMs, () => {
        this.#all.log(this.#work.indicator, graceMs, pendingState);
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
    this.#all.forget(this);
    this.#disconnect.end();
  }

  readonly #onUnseen = (): void => {
    if (this.#state !== "seen") return;
    this.#state = "unseen";
    this.#stopTimer();
    const { graceMs } = this.#disconnect;
    this.#stopTimer = this.#all.clock.schedule(graceMs, () => {
      if (this.#state === "unseen") this.#all.log(this.#work.indicator, graceMs, unseenState);
      this.end();
    });
    this.#all.unseen(this);
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
    else if (this.#work.usesSignal()) this.#awaitReport();
  }

  #awaitReport(): void {
    this.#state = "reporting";
    // The grace goes on: a cancellation near its end must not prolong it.
    const stopGrace = this.#stopTimer;
    const stopWait = this.#all.clock.schedule(lastReportMs, () => this.end());
    this.#stopTimer = () => {
      stopGrace();
      stopWait();
    };
  }
}
