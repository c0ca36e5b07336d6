import { describe, expect, it } from "vitest";
import { readOptions } from "../src/options.ts";

describe("npm run simulate", () => {
  it("simulates 100,000 seeds from 1 unless told otherwise", () => {
    expect(readOptions([])).toEqual({ world: "gate", seeds: 100_000, from: 1 });
    expect(readOptions(["--seeds", "5", "--from", "7"])).toEqual({ world: "gate", seeds: 5, from: 7 });
  });

  it("simulates a fleet when it is told to", () => {
    expect(readOptions(["--fleet", "--seeds", "5"])).toEqual({ world: "fleet", seeds: 5, from: 1 });
    expect(readOptions(["--fleet", "--seed", "5"])).toEqual({ world: "fleet", seed: 5 });
  });

  it("simulates budgets when it is told to, in one process or in several", () => {
    expect(readOptions(["--budgets", "--seeds", "5"])).toEqual({ world: "budgets", seeds: 5, from: 1 });
    expect(readOptions(["--budgets", "--fleet", "--seed", "5"])).toEqual({
      world: "budgets of a fleet",
      seed: 5,
    });
  });

  it("replays one seed", () => {
    expect(readOptions(["--seed", "12"])).toEqual({ world: "gate", seed: 12 });
  });

  it.each([
    [["--seeds", "0"], /--seeds: expected a whole number from 1 to 2\^52, received "0"/],
    [["--seeds", "1e3"], /--seeds: .* received "1e3"/],
    [["--seed", "-1"], /seed/],
    [["--seed", ""], /--seed: .* received ""/],
    [["--from", "1.5"], /--from: .* received "1.5"/],
    [["--seed", "1", "--from", "2"], /no --seeds and no --from/],
    [["--sead", "1"], /--sead/],
    [["7"], /7/],
  ])("refuses %j and says how it is used", (args, message) => {
    expect(readOptions(args)).toMatch(message);
    expect(readOptions(args)).toContain("npm run simulate -- ");
  });
});
