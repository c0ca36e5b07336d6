import type { Clock } from "../clock.ts";

/** The clock of a process that may crash: from then on none of its timers fires. */
export interface MortalClock extends Clock {
  die(): void;
}

/** Creates the clock of a process, which shows `now` where that differs from the clock that drives it. */
export function createMortalClock(clock: Clock, now: () => number = clock.now): MortalClock {
  let alive = true;
  return {
    tickMs: clock.tickMs,
    now,
    schedule: (delayMs, run) => (alive ? clock.schedule(delayMs, () => alive && run()) : () => {}),
    die() {
      alive = false;
    },
  };
}
