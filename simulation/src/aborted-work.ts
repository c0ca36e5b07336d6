import { sleep, tickOf } from "./time.ts";
import { drawReports, pauseMs, type Work, WorkReports } from "./work.ts";

/** How work goes on whose client has left. */
interface Course {
  /** Whether an adapter sees the work, and so its end. */
  readonly seen: boolean;
  readonly graceMs: number;
  /** Whether the handler stops as soon as the signal tells it. */
  readonly heeds: boolean;
  /** Whether a handler that is not seen tells its end all the same. */
  readonly tells: boolean;
  /** How much longer it works than its reports take: it may outlast the grace. */
  readonly extraMs: number;
}

/**
 * Does work whose client leaves in its midst, and may ask again at once. By rule 7 the hold stays until the work ends, as far
 * as that is seen, else until the grace is over; what is reported after that is late. Resolves when all that is over.
 */
export async function doAbortedWork(work: Work): Promise<void> {
  const { charge, clock, random, note } = work;
  const course = drawCourse(work);
  const drafts = drawReports(work);
  const reports = new WorkReports(work);
  for (const draft of drafts.splice(0, random.integer(0, drafts.length))) {
    await sleep(clock, pauseMs(work));
    reports.make(draft);
  }
  let billed: Promise<void> | undefined;
  const end = () => {
    reports.end();
    billed = charge.settle();
  };
  const leftAt = clock.now();
  const handler = course.heeds ? Promise.resolve() : workOn();
  note(`the client leaves: ${JSON.stringify(course)}`);
  charge.leave({
    seen: course.seen ? handler : undefined,
    graceMs: course.graceMs,
    end() {
      const due = !course.seen && clock.now() + tickOf(clock) >= leftAt + course.graceMs;
      if (!reports.ended && !due && !work.closing())
        work.violated("work whose client had left was ended before its time");
      end();
    },
  });
  if (random.chance(0.7)) work.again();
  await handler;
  if (course.seen || course.tells) end();
  // The grace may go on.
  while (charge.open) await sleep(clock, 1_000);
  await billed;

  async function workOn(): Promise<void> {
    for (const draft of drafts) {
      await sleep(clock, pauseMs(work));
      reports.make(draft);
    }
    await sleep(clock, course.extraMs);
  }
}

function drawCourse(work: Work): Course {
  const { random } = work;
  const graceMs = random.pick([0, 300, 2_000, 60_000]);
  return {
    seen: random.chance(0.5),
    graceMs,
    heeds: random.chance(0.4),
    tells: random.chance(0.5),
    extraMs: random.chance(0.5) ? pauseMs(work) : graceMs + pauseMs(work),
  };
}
