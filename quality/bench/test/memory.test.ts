import { describe, expect, it } from "vitest";
import { createPassingCustomers } from "../src/memory/passing-customers.ts";

const max = 1_000;
const settlementLagMs = 10_000;

describe("a gate that may remember 1,000 customers", () => {
  it("serves 20,000 who come slowly enough, and never remembers more", async () => {
    // 50 a second, each to be remembered for 10 s.
    const passing = createPassingCustomers({ max, msBetween: 20, settlementLagMs });
    for (let served = 0; served < 20_000; served += 250) {
      expect(await passing.serve(250)).toBe(0);
      expect((await passing.remembered()).length).toBeLessThanOrEqual(max);
    }
    expect((await passing.remembered()).length).toBe(max);
    expect(passing.registry.customers.size).toBe(1);
  });

  it("refuses those who come while it must not forget anyone, and serves the next when the lag is over", async () => {
    const passing = createPassingCustomers({ max, msBetween: 0, settlementLagMs });
    expect(await passing.serve(max)).toBe(0);
    expect(await passing.serve(5)).toBe(5);
    expect((await passing.remembered()).length).toBe(max);
    passing.clock.advance(settlementLagMs + 10);
    expect(await passing.serve(max)).toBe(0);
    expect((await passing.remembered()).length).toBe(max);
  });
});
