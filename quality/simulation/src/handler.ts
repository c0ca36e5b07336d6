import type { AbortedCharge } from "./aborted-charge.ts";
import { sleep } from "./time.ts";
import { type Draft, pauseMs, type Work } from "./work.ts";

/** Work whose client disconnects, as each kind of adapter has it. */
export interface AbortedWork extends Work {
  readonly admission: AbortedCharge;
  readonly habits: Habits;
  /** All that it would report if its client stayed. */
  readonly drafts: readonly Draft[];
  /** The client disconnects after so many of its reports. */
  readonly leavesAfter: number;
}

/** How a handler goes on when its client disconnects. */
export interface Habits {
  readonly usesSignal: boolean;
  /** Stops when the signal fires. */
  readonly heeds: boolean;
  /** Milliseconds until one more report of a handler that has stopped; `undefined` for none. */
  readonly lastReportMs: number | undefined;
  /** Milliseconds that it works on after its reports: it may outlast the grace. */
  readonly extraMs: number;
}

/** What a handler does: reports, then goes on for a while, or stops by its habits. It writes to its client after each report. */
export async function handle(
  work: AbortedWork,
  leave: () => void,
  write: () => Promise<void>,
): Promise<void> {
  await report(work, leave, write);
  work.admission.isOver();
}

async function report(work: AbortedWork, leave: () => void, write: () => Promise<void>): Promise<void> {
  const { admission, drafts, habits, leavesAfter } = work;
  const signal = habits.usesSignal ? admission.takeSignal() : undefined;
  const stop = habits.heeds ? signal : undefined;
  for (const [done, draft] of drafts.entries()) {
    if (done === leavesAfter) leave();
    await sleepUnless(stop, pauseMs(work), work);
    if (stop?.aborted) return reportLast(draft, work);
    admission.report(draft);
    await write();
  }
  if (drafts.length === leavesAfter) leave();
  await sleepUnless(stop, habits.extraMs, work);
}

async function reportLast(draft: Draft, { admission, clock, habits }: AbortedWork): Promise<void> {
  if (habits.lastReportMs === undefined) return;
  await sleep(clock, habits.lastReportMs);
  admission.report(draft);
}

function sleepUnless(stop: AbortSignal | undefined, delayMs: number, { clock }: Work): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(delayMs, resolve);
    if (stop?.aborted) resolve();
    else stop?.addEventListener("abort", () => resolve(), { once: true });
  });
}
