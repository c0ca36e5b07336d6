import type { Clock } from "../values/clock.ts";

/** A clock that stands still until a test moves it, and shows each instant exactly. */
export interface ManualClock extends Clock {
  readonly resolutionMs: 0;
  /** Moves time forward, timer by timer; between two timers all promises that can run have run. */
  advance(ms: number): Promise<void>;
}

/** Options of {@link createManualClock}. */
export interface ManualClockOptions {
  /** Lets promises run between two timers. @default a macrotask, before which every microtask has run */
  readonly drain?: () => Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Creates a clock that shows 0. */
export function createManualClock(options: ManualClockOptions = {}): ManualClock {
  const { drain = macrotask } = options;
  let now = 0;
  /** The next one last, so that it is cheap to take; of those at the same instant the oldest is next. */
  const timers: Timer[] = [];

  function add(timer: Timer): void {
    let low = 0;
    for (let high = timers.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((timers[middle]?.at ?? 0) > timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
  }

  function nextUntil(limit: number): Timer | undefined {
    for (let next = timers.at(-1); next !== undefined && next.at <= limit; next = timers.at(-1)) {
      timers.pop();
      if (!next.cancelled) return next;
    }
    return undefined;
  }

  return {
    resolutionMs: 0,
    now: () => now,
    schedule(delayMs, run) {
      const timer = { at: now + Math.max(0, delayMs), run, cancelled: false };
      add(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    async advance(ms) {
      const target = now + ms;
      await drain();
      for (let timer = nextUntil(target); timer !== undefined; timer = nextUntil(target)) {
        now = timer.at;
        timer.run();
        await drain();
      }
      now = target;
    },
  };
}

/** A macrotask comes only after every microtask, however long their chain. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
