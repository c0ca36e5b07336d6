import type { Answer, CallOptions, GateIdentity } from "@creditgate/client";
import { createGate, createRegistry, type GateEventMap, type GateOptions } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { createLeasedLedger } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import { createFakeService, type SceneOptions, wallet } from "../../core/test/service.ts";
import { createMemoryStore } from "../src/lease/memory-store.ts";

const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };
const hour = 3_600_000;

/** A service that records which gate asks, and reports separate ledgers with its balances. */
function createStage() {
  const service = createFakeService();
  service.fund("alice", { ai_credits: wallet({ available: 100 }) });
  const clock = createManualClock();
  const registry = createRegistry();
  const asked: (readonly [endpoint: string, gate: GateIdentity | undefined])[] = [];
  const lines: string[] = [];
  const stage = {
    answered: {} as Partial<Answer>,
    asked,
    lines,
    clock,
    service,
    gate(options: SceneOptions = {}) {
      const client: NonNullable<GateOptions["client"]> = {
        ...service.client,
        fingerprint: async (of) => `a service, by ${of ?? "key"}`,
        async send(endpoint, input, callOptions: CallOptions = {}) {
          asked.push([endpoint.name, callOptions.gate]);
          const answer = await service.client.send(endpoint, input, callOptions);
          return endpoint.name === "walletBalance" ? { ...answer, ...stage.answered } : answer;
        },
      };
      return createGate({
        ...{
          client,
          currency: "ai_credits",
          wallet: "prepaid",
          registry,
          clock,
          lagWatch: false,
          check: false,
        },
        ...{
          minRefreshMs: 0,
          ttlMs: 1,
          maxStaleMs: 1,
          logger: { error: (line: string) => lines.push(line) },
        },
        ...options,
      } as GateOptions);
    },
    async work(gate: ReturnType<typeof createGate>, times = 1) {
      for (let done = 0; done < times; done++) {
        await clock.advance(2);
        const decided = gate.authorize(request);
        await clock.advance(2);
        const decision = await decided;
        if (!decision.allowed) throw new Error(decision.denial.code);
        decision.charge.report({ outputTokens: 1 });
        await decision.charge.settle();
      }
      await clock.advance(0);
    },
  };
  return stage;
}

const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
const onlyOne = <T>(values: readonly T[]): T | undefined => {
  expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(1);
  return values[0];
};

describe("a gate", () => {
  it("names its process and its ledger in each balance request and each report", async () => {
    const stage = createStage();
    await stage.work(stage.gate());
    expect(stage.asked.map(([endpoint]) => endpoint)).toEqual(["walletBalance", "usageReport"]);
    expect(onlyOne(stage.asked.map(([, gate]) => gate))).toEqual({ id: uuid, ledger: "memory" });
  });

  it("names them in a batch", async () => {
    const stage = createStage();
    stage.service.batchLimit = 10;
    const gate = stage.gate({ concurrency: 1 });
    await stage.work(gate, 5);
    const decisions = await Promise.all(Array.from({ length: 5 }, () => gate.authorize(request)));
    for (const decision of decisions) {
      if (!decision.allowed) throw new Error(decision.denial.code);
      decision.charge.report({ outputTokens: 1 });
      void decision.charge.settle();
    }
    await stage.clock.advance(0);
    expect(stage.asked.map(([endpoint]) => endpoint)).toContain("usageBatch");
    expect(onlyOne(stage.asked.map(([, one]) => one))).toEqual({ id: uuid, ledger: "memory" });
  });

  it("is the same process as another gate that shares its wallets, and not the same as a process of its own", async () => {
    const stage = createStage();
    const [one, other] = [stage.gate(), stage.gate({ currency: "ai_credits" })];
    await stage.work(one);
    await stage.work(other);
    const here = onlyOne(stage.asked.map(([, gate]) => gate?.id));
    await stage.work(stage.gate({ registry: createRegistry() }));
    expect(stage.asked.at(-1)?.[1]).toEqual({ id: uuid, ledger: "memory" });
    expect(stage.asked.at(-1)?.[1]?.id).not.toBe(here);
  });

  it.each<[GateIdentity["ledger"], () => SceneOptions]>([
    ["guard", () => ({ guard: { maxOutstanding: 10, minCapacity: 0 } })],
    ["shared", () => ({ ledger: createLeasedLedger(createMemoryStore({ clock: createManualClock() })) })],
  ])("has a ledger of the kind %s", async (ledger, options) => {
    const stage = createStage();
    const gate = stage.gate({ clock: undefined, registry: createRegistry(), ...options() });
    await gate.balance("alice", { maxAgeMs: 0 });
    expect(onlyOne(stage.asked.map(([, one]) => one))).toEqual({ id: uuid, ledger });
    await gate.close();
  });
});

describe("separate ledgers that the service reports", () => {
  it("are one event and one line for each gate, at once and then hourly", async () => {
    const stage = createStage();
    const gates = [stage.gate(), stage.gate({ currency: "ai_credits" })];
    const [gate] = gates;
    if (gate === undefined) throw new Error("no gate");
    await stage.work(gate);
    expect(stage.lines).toEqual([]);
    stage.answered = { separateLedgers: 3, isFresh: true };
    for (const each of gates) await stage.work(each, 10);
    const id = stage.asked[0]?.[1]?.id;
    const line = `creditgate: processes that share no ledger can overspend a wallet together: 3 separate ledgers spend the same wallets; this process is ${id}. Give createGate() in each process one shared ledger, on Redis, PostgreSQL or Durable Objects: see "Many processes" in the README of @creditgate/core [replicas]`;
    expect(stage.lines).toEqual([line, line]);
    await stage.clock.advance(hour);
    for (const each of gates) await stage.work(each, 10);
    expect(stage.lines).toEqual([line, line, line, line]);
  });

  it("are an event for a listener, once an hour", async () => {
    const stage = createStage();
    const gate = stage.gate();
    const events: GateEventMap["degraded"][] = [];
    gate.on("degraded", (event) => events.push(event));
    stage.answered = { separateLedgers: 2, isFresh: true };
    await stage.work(gate, 10);
    expect(events).toEqual([{ what: "replicas", error: expect.any(Error) }]);
    await stage.clock.advance(hour);
    await stage.work(gate, 10);
    expect(events).toHaveLength(2);
    expect(stage.lines).toEqual([]);
  });

  it.each<[string, Partial<Answer>]>([
    ["a cache may have kept them for another process", { separateLedgers: 2, isFresh: false }],
    ["each of them is within a guard", { separateLedgers: "guarded", isFresh: true }],
  ])("are none where %s", async (_, answered) => {
    const stage = createStage();
    stage.answered = answered;
    const gate = stage.gate();
    const events: GateEventMap["degraded"][] = [];
    gate.on("degraded", (event) => events.push(event));
    await stage.work(gate, 3);
    expect(events).toEqual([]);
  });
});

describe("gate.check()", () => {
  it.each([
    [3, false],
    ["guarded", true],
    [undefined, undefined],
  ] as const)("finds that the service reports %j", async (separateLedgers, ok) => {
    const stage = createStage();
    stage.answered = { separateLedgers };
    const findings = await stage.gate().check({ customerId: "alice" });
    const ledger = findings.find(({ name }) => name === "ledger");
    expect(ledger?.ok).toBe(ok);
    if (ok === false) expect(ledger?.fix).toContain("Redis, PostgreSQL or Durable Objects");
  });
});
