import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/values/clock.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The next timer that is set, and what it is. */
function nextTimer(): () => NodeJS.Timeout {
  const set = vi.spyOn(globalThis, "setTimeout");
  return () => set.mock.results[0]?.value;
}

describe("the clock of the machine", () => {
  it("keeps the process alive until a timer has rung", () => {
    const timer = nextTimer();
    const cancel = systemClock.schedule(60_000, () => {});
    expect(timer().hasRef()).toBe(true);
    cancel();
  });

  it("does not for a timer that is idle", () => {
    const timer = nextTimer();
    const cancel = systemClock.schedule(60_000, () => {}, { idle: true });
    expect(timer().hasRef()).toBe(false);
    cancel();
  });

  it("takes timers that are numbers, as browsers have them", () => {
    vi.spyOn(globalThis, "setTimeout").mockReturnValue(1 as never);
    expect(() => systemClock.schedule(0, () => {}, { idle: true })()).not.toThrow();
  });
});
