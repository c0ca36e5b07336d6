import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BusyError, createFairShare } from "../src/database/fair-share.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () => createFairShare({ slots: 2, maxWaiting: 1, waitMs: 3_000 });

describe("createFairShare", () => {
  it("lets an organisation have its share at once, and each of the others theirs", async () => {
    const share = open();
    const leave = await share.take(1n);
    await share.take(1n);
    let isThird = false;
    const third = share.take(1n).then(() => {
      isThird = true;
    });
    await share.take(2n);
    expect(isThird).toBe(false);
    leave();
    await third;
  });

  it("refuses what has waited for too long, and what comes when enough wait", async () => {
    const share = open();
    const leave = await share.take(1n);
    await share.take(1n);
    const third = share.take(1n);
    await expect(share.take(1n)).rejects.toThrow(BusyError);
    const refused = expect(third).rejects.toThrow(BusyError);
    await vi.advanceTimersByTimeAsync(3_000);
    await refused;
    // The turn that the third did not take goes to the next.
    leave();
    await share.take(1n);
  });

  it("ends the turn of work that fails", async () => {
    const share = createFairShare({ slots: 1, maxWaiting: 1, waitMs: 3_000 });
    const work = share.run(1n, () => Promise.reject(new Error("work")));
    await expect(work).rejects.toThrow("work");
    expect(await share.run(1n, () => Promise.resolve("done"))).toBe("done");
  });
});
