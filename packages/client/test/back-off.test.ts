import { describe, expect, it } from "vitest";
import { backOffMs } from "../src/index.ts";

describe("backOffMs", () => {
  const pauses = (chance: number) =>
    [1, 2, 3, 4, 5, 2_000].map((failures) =>
      backOffMs(failures, { firstMs: 100, longestMs: 1_000, random: () => chance }),
    );

  it("doubles its bound with each failure, up to the longest pause", () => {
    expect(pauses(0.5)).toEqual([50, 100, 200, 400, 500, 500]);
  });

  it("has full jitter: chance takes all of a pause or nothing of it", () => {
    expect(pauses(0)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(pauses(0.25)).toEqual([25, 50, 100, 200, 250, 250]);
  });
});
