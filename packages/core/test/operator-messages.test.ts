import { CreditgateError } from "@creditgate/client";
import { createManualClock } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OperatorLog as Log } from "../src/events/operator-log.ts";

describe("the operator's log in a bundle for the edge", () => {
  let OperatorLog: typeof Log;
  beforeAll(async () => {
    vi.resetModules();
    vi.doMock("#operator-messages", () => import("../src/events/operator-messages/short.ts"));
    ({ OperatorLog } = await import("../src/events/operator-log.ts"));
  });
  afterAll(() => {
    vi.doUnmock("#operator-messages");
    vi.resetModules();
  });

  it("says by its name what has happened, and why, once for each kind", () => {
    const lines: string[] = [];
    const log = new OperatorLog(createManualClock(), { error: (line) => lines.push(line) });
    const error = new CreditgateError("http", "GET /balance answered 401", { status: 401 });
    for (let time = 0; time < 2; time++) log.log("degraded", { what: "balance", error });
    const usage = { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: {} };
    const report = { ...usage, id: "a", currency: "ai_credits", entry: { id: "a", amount: 1 } };
    for (const reports of [[report], [report, report]])
      log.log("undelivered", { reports, error: new Error("closed") });
    expect(lines).toEqual([
      "creditgate: balance: GET /balance answered 401",
      "creditgate: undelivered: 1: closed",
      "creditgate: undelivered: 2: closed",
    ]);
  });
});
