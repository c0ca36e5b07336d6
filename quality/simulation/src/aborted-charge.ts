import type { Charge } from "@creditgate/core";
import type { Admitted } from "@creditgate/core/adapter";
import { type Draft, type Work, WorkReports } from "./work.ts";

/** Rule 7: after the cancellation of its body, work that has taken the signal may report within this time. */
const lastReportMs = 1_000;

/** The charge of work whose client disconnects, as an adapter has it. Checks that the hold ends when rule 7 says so. */
export class AbortedCharge implements Admitted {
  readonly admitted = true;
  readonly graceMs: number;
  readonly #work: Work;
  readonly #reports: WorkReports;
  #usesSignal = false;
  #over = false;
  #reported = false;
  #left: Promise<void> | undefined;
  /** When the handler returned its body, or the client disconnected where no promise is seen. */
  #unseenAt: number | undefined;
  #cancelledAt: number | undefined;
  /** When nothing but a last report is awaited. */
  #awaitedFrom: number | undefined;
  /** When the work showed its end: by a report, by the promise of its handler or by `response.end()`. */
  #shownAt: number | undefined;

  constructor(work: Work, graceMs: number) {
    this.#work = work;
    this.#reports = new WorkReports(work);
    this.graceMs = graceMs;
  }

  get credits(): Charge {
    return this.#work.charge;
  }

  /** Every simulated body is read or left. */
  unread(): () => void {
    return () => {};
  }

  /** The signal, as a handler takes it. */
  takeSignal(): AbortSignal {
    this.#usesSignal = true;
    return this.credits.signal;
  }

  report(draft: Draft): void {
    if (this.#left !== undefined) {
      this.#reported = true;
      if (this.#awaitedFrom !== undefined) this.showEnd();
    }
    this.#reports.make(draft);
  }

  get hasLeft(): boolean {
    return this.#left !== undefined;
  }

  /** The adapter sees the end of the work. */
  showEnd(): void {
    this.#shownAt ??= this.#work.instant();
  }

  /** The handler does nothing more. */
  isOver(): void {
    this.#over = true;
  }

  end(): Promise<void> {
    if (!this.#reports.ended && !this.#work.closing()) this.#check();
    this.#reports.end();
    return this.credits.settle();
  }

  disconnect(seen?: Promise<unknown>, cancelled?: Promise<unknown>): Promise<void> {
    this.#left ??= new Promise((resolve) => {
      // First: what the gate does when these settle is checked.
      if (seen === undefined) this.#onUnseen();
      else seen.then(this.#onUnseen, this.#onUnseen);
      cancelled?.then(this.#onCancelled, this.#onCancelled);
      this.credits.disconnect({ seen, cancelled, graceMs: this.graceMs, end: () => resolve(this.end()) });
    });
    return this.#left;
  }

  readonly #onUnseen = (): void => {
    this.#unseenAt = this.#work.instant();
    this.#judge();
  };

  readonly #onCancelled = (): void => {
    this.#cancelledAt = this.#work.instant();
    this.#judge();
  };

  #judge(): void {
    if (this.#unseenAt === undefined || this.#cancelledAt === undefined) return;
    if (this.#reported) this.showEnd();
    else if (this.#usesSignal) this.#awaitedFrom = this.#work.instant();
  }

  #check(): void {
    if (this.#left === undefined) {
      if (!this.#over && this.credits.reported.length === 0)
        this.#work.violated("work was taken for complete that goes on and has reported nothing");
      return;
    }
    const dueAt = Math.min(
      this.#shownAt ?? Number.POSITIVE_INFINITY,
      (this.#unseenAt ?? Number.POSITIVE_INFINITY) + this.graceMs,
      (this.#awaitedFrom ?? Number.POSITIVE_INFINITY) + lastReportMs,
    );
    const at = this.#work.instant();
    if (at < dueAt) this.#work.violated("work whose client had left was ended before its time");
    if (at > dueAt) this.#work.violated("work whose client had left was ended after its time");
  }
}
