import type { Clock } from "../../values/clock.ts";

/** The clock of a process that may end: from then on none of its timers fires. */
export interface MortalClock extends Clock {
  die(): void;
}

/** Creates the clock of a process, which shows what `face` shows where that differs from the clock that drives it. */
export function createMortalClock(clock: Clock, face: Pick<Clock, "now" | "tickMs"> = clock): MortalClock {
  let alive = true;
  return {
    tickMs: face.tickMs,
    now: () => face.now(),
    schedule: (delayMs, run) => (alive ? clock.schedule(delayMs, () => alive && run()) : () => {}),
    die() {
      alive = false;
    },
  };
}
