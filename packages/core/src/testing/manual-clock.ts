import type { Clock } from "../clock.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time forward, timer by timer; between two timers all promises that can run have run. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Creates a clock that shows 0. */
export function createManualClock(): ManualClock {
  let now = 0;
  const timers = new Set<Timer>();

  function nextUntil(limit: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= limit && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }

  return {
    now: () => now,
    schedule(delayMs, run) {
      const timer = { at: now + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const target = now + ms;
      await promisesRun();
      for (let timer = nextUntil(target); timer !== undefined; timer = nextUntil(target)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
        await promisesRun();
      }
      now = target;
    },
  };
}

/** A macrotask comes only after every microtask, however long their chain. */
function promisesRun(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
