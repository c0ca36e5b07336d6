import type { Clock } from "@creditgate/core";

/** A clock that stands still until it is moved; cheap enough for millions of timers that are all cancelled. */
export interface PassingClock extends Clock {
  /** Moves time on, and runs what has become due. */
  advance(ms: number): void;
}

/** Creates a clock that shows 0. */
export function createPassingClock(): PassingClock {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  return {
    resolutionMs: 0,
    now: () => now,
    schedule(delayMs, run) {
      const timer = { at: now + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of timers) {
        if (timer.at > now) continue;
        timers.delete(timer);
        timer.run();
      }
    },
  };
}
