import type { Timing } from "../src/index.ts";

/** The time-out of tests in which time only passes when the test says so. */
export const TIMEOUT_MS = 60_000;

export interface TestTiming extends Timing {
  /** Milliseconds of the pauses between attempts, which pass at once unless `onPause` is given. */
  readonly pauses: readonly number[];
  /** Timers that are neither fired nor cancelled. */
  active(): number;
  /** Lets all timers that are set run out. */
  expire(): void;
}

export interface TestTimingOptions {
  readonly now?: number;
  readonly random?: number;
  /** Called instead of letting a pause pass. */
  readonly onPause?: () => void;
}

export function createTestTiming({ now = 0, random = 0.5, onPause }: TestTimingOptions = {}): TestTiming {
  const timers = new Set<() => void>();
  const pauses: number[] = [];
  return {
    pauses,
    now: () => now,
    random: () => random,
    after(ms, run) {
      const timer = (): void => {
        if (timers.delete(timer)) run();
      };
      timers.add(timer);
      if (ms !== TIMEOUT_MS) {
        pauses.push(ms);
        queueMicrotask(onPause ?? timer);
      }
      return () => void timers.delete(timer);
    },
    active: () => timers.size,
    expire() {
      for (const timer of [...timers]) timer();
    },
  };
}
