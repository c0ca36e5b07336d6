import { AbortedCharge } from "./aborted-charge.ts";
import { doBodyWork } from "./body-work.ts";
import type { Habits } from "./handler.ts";
import { doNodeWork } from "./node-work.ts";
import { sleep } from "./time.ts";
import { drawReports, pauseMs, type Work } from "./work.ts";

/**
 * Does work whose client disconnects, and may ask again at once, through the parts of core that adapters use. By rule 7 the hold
 * stays until the work has ended, as far as that is seen; what is reported after that is late. Resolves when all is over.
 */
export async function doAbortedWork(work: Work): Promise<void> {
  const { random, note, clock, charge } = work;
  const graceMs = random.pick([0, 300, 2_000, 60_000]);
  const usesSignal = random.chance(0.6);
  const habits: Habits = {
    usesSignal,
    heeds: usesSignal && random.chance(0.8),
    lastReportMs: random.chance(0.5) ? random.integer(0, random.pick([0, 300, 1_500])) : undefined,
    extraMs: random.chance(0.5) ? pauseMs(work) : graceMs + pauseMs(work),
  };
  const drafts = drawReports(work);
  const admission = new AbortedCharge(work, graceMs);
  const leavesAfter = random.integer(0, drafts.length);
  note(`its client disconnects after ${leavesAfter} reports: ${JSON.stringify({ graceMs, ...habits })}`);
  const does = random.chance(0.5) ? doNodeWork : doBodyWork;
  await does({ ...work, admission, habits, drafts, leavesAfter });
  // The grace may go on.
  while (charge.open) await sleep(clock, 1_000);
  await charge.settle();
}
