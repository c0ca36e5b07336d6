import type { Clock } from "@creditgate/core";

/** The clock of a process that may end: from then on none of its timers fires. */
export interface ProcessClock extends Clock {
  end(): void;
}

/** Creates the clock of a process, which shows what `face` shows where that differs from the clock that drives it. */
export function createProcessClock(
  clock: Clock,
  face: Pick<Clock, "now" | "resolutionMs"> = clock,
): ProcessClock {
  let alive = true;
  return {
    resolutionMs: face.resolutionMs,
    now: () => face.now(),
    schedule: (delayMs, run) => (alive ? clock.schedule(delayMs, () => alive && run()) : () => {}),
    end() {
      alive = false;
    },
  };
}
