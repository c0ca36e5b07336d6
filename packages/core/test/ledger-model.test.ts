import { describe, expect, it } from "vitest";
import { Entry, Report } from "../src/outbox/report.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";
import { findDifference } from "./ledger-model/property.ts";

describe("the memory ledger", () => {
  it("keeps all admitted work debited, held or unconfirmed, and lets in what the rules let in", {
    timeout: 60_000,
  }, async () => {
    const sources = { createMemoryLedger, Entry, Report };
    expect(await findDifference(sources, { numRuns: 1_000 })).toBeUndefined();
  });
});
