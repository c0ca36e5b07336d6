import { createGate, type DeliveringLedger, type OutboxReport, type Standing } from "@creditgate/core";
import { createTestGate } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";

const standing: Standing = {
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
  const told: unknown[] = [];
  const account: ReturnType<DeliveringLedger["account"]> = {
    stamp: undefined,
    async decide({ id, hold }, kind, unread) {
      told.push(["decide", id, hold, kind]);
      if (error !== undefined) unread("alice", error);
      return {
        code,
        rule: "news",
        kind: kind ?? null,
        account,
        hold: code === undefined ? { admitted: true, amount: hold } : undefined,
        standing,
        wallet: 3_000_000,
        tells: true,
        arrival: 0,
        at: 0,
      };
    },
    hold: () => standing,
    settle: (_hold, amounts) => amounts.map((amount) => ({ amount })),
    async release() {
      told.push(["release"]);
    },
    correct() {},
    acknowledge() {},
    recover: () => [],
    depart: () => ({ wait: 1 }),
    install() {},
    standing: () => standing,
    flush() {},
    idle: () => true,
  };
  const ledger: DeliveringLedger = {
    id: "deciding",
    account: () => account,
    close() {},
    queue: {
      async send(reports: readonly OutboxReport[], workId?: string) {
        told.push(["send", reports.map(({ id }) => id), workId]);
      },
      async flush() {},
    },
  };
  return { ledger, told };
}

const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 2 };

describe("a ledger that decides by itself and takes the usage", () => {
  it("is asked once, and takes the usage with the work that it ends", async () => {
    const { ledger, told } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({ outputTokens: 1 }, { credits: 1 });
    await decision.charge.settle();
    const [[, id]] = told as [[string, string]];
    expect(told).toEqual([
      ["decide", id, 2_000_000, "prepaid"],
      ["send", [id], id],
    ]);
  });

  it("takes what is reported when the work has ended as the end of no work", async () => {
    const { ledger, told } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (!decision.allowed) throw new Error(decision.denial.code);
    await decision.charge.settle();
    decision.charge.report({ outputTokens: 1 }, { credits: 1 });
    expect(told.at(-1)).toEqual(["send", [expect.any(String)], undefined]);
  });

  it("has what it gives back outlast the request", async () => {
    const { ledger, told } = decidingLedger();
    const { gate } = createTestGate({}, { ledger });
    const kept: Promise<unknown>[] = [];
    const decision = await gate.authorize({ ...work, waitUntil: (promise) => kept.push(promise) });
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.release();
    expect(kept).toHaveLength(1);
    await Promise.all(kept);
    expect(told.at(-1)).toEqual(["release"]);
  });

  it("denies by its own reasons, without a balance request of the gate", async () => {
    const { ledger } = decidingLedger({ code: "insufficient_credits" });
    const { gate } = createTestGate({}, { ledger });
    const decision = await gate.authorize(work);
    if (decision.allowed) throw new Error("expected a denial");
    expect(decision.denial).toMatchObject({ code: "insufficient_credits", required: 2, retryable: true });
    expect(decision.trace).toMatchObject({ rule: "news", capacity: 3, held: 2 });
  });

  it("has the gate tell of a balance that it could not read", async () => {
    const error = new Error("no balance");
    const { ledger } = decidingLedger({ error });
    const { gate, told } = createTestGate({}, { ledger });
    await gate.authorize(work);
    expect(told("degraded")).toEqual([{ what: "balance", error, customerId: "alice" }]);
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
