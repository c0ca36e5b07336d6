import { createGate, type OutboxReport } from "@creditgate/core";
import type { AccountFigures, DeliveringLedger } from "@creditgate/core/adapter";
import { createTestGate } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";

const figures: AccountFigures = {
  admitted: false,
  capacity: 3_000_000,
  held: 2_000_000,
  unconfirmed: 0,
  recent: 0,
  stamp: undefined,
};

/** A ledger that decides by itself, and takes the usage: what it was told. */
function decidingLedger({
  code,
  error,
}: {
  readonly code?: "insufficient_credits";
  readonly error?: Error;
} = {}) {
  const emitted: unknown[] = [];
  const account: ReturnType<DeliveringLedger["account"]> = {
    stamp: undefined,
    async decide({ id, hold }, kind, unread) {
      emitted.push(["decide", id, hold, kind]);
      if (error !== undefined) unread("alice", error);
      return {
        code,
        rule: "fresh",
        kind: kind ?? null,
        account,
        hold: code === undefined ? { admitted: true, amount: hold } : undefined,
        figures,
        wallet: 3_000_000,
        extended: true,
        arrival: 0,
        at: 0,
      };
    },
    hold: () => figures,
    settle: (_hold, amounts) => amounts.map((amount) => ({ amount })),
    async release() {
      emitted.push(["release"]);
    },
    correct() {},
    acknowledge() {},
    recover: () => [],
    beginRefresh: () => ({ wait: 1 }),
    install() {},
    figures: () => figures,
    flush() {},
    idle: () => true,
  };
  const ledger: DeliveringLedger = {
    id: "deciding",
    account: () => account,
    close() {},
    queue: {
      async send(reports: readonly OutboxReport[], workId?: string) {
        emitted.push(["send", reports.map(({ id }) => id), workId]);
      },
      async flush() {},
    },
  };
  return { ledger, emitted };
}

const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 2 };

describe("a ledger that decides by itself and takes the usage", () => {
  it("is asked once, and takes the usage with the work that it ends", async () => {
    const { ledger, emitted } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({ outputTokens: 1 }, { credits: 1 });
    await decision.charge.settle();
    const [[, id]] = emitted as [[string, string]];
    expect(emitted).toEqual([
      ["decide", id, 2_000_000, "prepaid"],
      ["send", [id], id],
    ]);
  });

  it("takes what is reported when the work has ended as the end of no work", async () => {
    const { ledger, emitted } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (!decision.allowed) throw new Error(decision.denial.code);
    await decision.charge.settle();
    decision.charge.report({ outputTokens: 1 }, { credits: 1 });
    expect(emitted.at(-1)).toEqual(["send", [expect.any(String)], undefined]);
  });

  it("has what it gives back outlast the request", async () => {
    const { ledger, emitted } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const kept: Promise<unknown>[] = [];
    const decision = await gate.authorize({ ...work, waitUntil: (promise) => kept.push(promise) });
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.release();
    expect(kept).toHaveLength(1);
    await Promise.all(kept);
    expect(emitted.at(-1)).toEqual(["release"]);
  });

  it("denies by its own reasons, without a balance request of the gate", async () => {
    const { ledger } = decidingLedger({ code: "insufficient_credits" });
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (decision.allowed) throw new Error("expected a denial");
    expect(decision.denial).toMatchObject({ code: "insufficient_credits", required: 2, retryable: true });
    expect(decision.trace).toMatchObject({ rule: "fresh", capacity: 3, held: 2 });
  });

  it("has the gate tell of a balance that it could not read", async () => {
    const error = new Error("no balance");
    const { ledger } = decidingLedger({ error });
    const { gate, emitted } = createTestGate({}, { ledger });
    await gate.authorize(work);
    expect(emitted("degraded")).toEqual([{ what: "balance", error, customerId: "alice" }]);
  });

  it("stands in the place of an outbox and of a queue", () => {
    const { ledger } = decidingLedger();
    const queue = { async send() {}, async flush() {} };
    const client = { send: () => Promise.reject(), fingerprint: async () => "service" };
    expect(() => createGate({ client, currency: "ai_credits", ledger, queue })).toThrow(
      "queue: expected none beside this `ledger`",
    );
  });
});
