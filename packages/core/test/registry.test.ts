import type { GateOptions } from "@creditgate/core";
import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { createManualClock, microtasks } from "@creditgate/core/testing";
import { describe, expect, it, vi } from "vitest";
import { processRegistry } from "../src/registry/registry.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";
import { createFakeService, outcome, pending, type SceneOptions, wallet } from "./service.ts";

const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 6 };

function twoGates(options: SceneOptions, others: SceneOptions = {}) {
  const service = createFakeService();
  const figures = wallet({ available: 10 });
  service.fund("alice", { ai_credits: figures, voice_credits: figures });
  const common = {
    client: service.client,
    currency: "ai_credits",
    wallet: "prepaid",
    clock: createManualClock(),
    minRefreshMs: 0,
    ...options,
  } as const;
  const gates = [
    createGate(common as GateOptions),
    createGate({ ...common, ...others } as GateOptions),
  ] as const;
  return { service, gates };
}

describe("gates that share a registry", () => {
  it("share the wallets of a service and key: together they never admit more than one would", async () => {
    const { service, gates } = twoGates({ registry: createRegistry() });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("insufficient_credits");
    expect(await gates[1].balance("alice")).toEqual({ capacity: 10, held: 6, unconfirmed: 0 });
    expect(service.mostAirborne).toBe(1);
  });

  it("serve a wallet that is opened in the instant in which a balance request has left", async () => {
    const answered = pending<void>();
    const service = createFakeService();
    service.fund("alice", {
      ai_credits: wallet({ available: 10 }),
      voice_credits: wallet({ available: 10 }),
    });
    const client = {
      ...service.client,
      send: async (...call: Parameters<typeof service.client.send>) => {
        await answered.promise;
        return service.client.send(...call);
      },
    };
    const common = {
      client,
      wallet: "prepaid",
      registry: createRegistry(),
      clock: createManualClock(),
    } as const;
    const gates = ["ai_credits", "voice_credits"].map((currency) => createGate({ ...common, currency }));
    for (const gate of gates) await gate.balance("alice");
    const decisions = [];
    for (const gate of gates) {
      decisions.push(gate.authorize(request));
      await microtasks(50);
    }
    answered.resolve(undefined);
    expect((await Promise.all(decisions)).map(outcome)).toEqual(["allowed", "allowed"]);
  });

  it("read the wallets of all currencies with one balance call", async () => {
    const { service, gates } = twoGates({ registry: createRegistry() }, { currency: "voice_credits" });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("allowed");
    expect(service.balanceRequests).toHaveLength(1);
  });

  const guard = { maxOutstanding: 5, minCapacity: 0 };

  it.each<[string, SceneOptions, SceneOptions, string]>([
    [
      "ledger",
      { ledger: createMemoryLedger(createManualClock()) },
      { ledger: createMemoryLedger(createManualClock()) },
      "ledger: expected the ledger of the first gate on this service and key",
    ],
    [
      "guard",
      {},
      { guard },
      'guard: expected that of the first gate on this service and key (none), received "maxOutstanding 5, minCapacity 0"',
    ],
    ["guard", { guard }, { guard: { ...guard, minCapacity: 1 } }, "guard: expected that of the first gate"],
    ["guard", { guard }, { guard: undefined }, "guard: expected that of the first gate"],
    [
      "maxCustomers",
      { maxCustomers: 7 },
      { maxCustomers: 8 },
      "maxCustomers: expected that of the first gate on this service and key (7)",
    ],
  ])("agree on %s: a second gate that says otherwise is refused", async (_option, first, second, message) => {
    const { gates } = twoGates({ registry: createRegistry(), ...first }, second);
    await gates[0].authorize(request);
    await expect(gates[1].authorize(request)).rejects.toThrow(message);
  });

  it("may say the same again, or leave `maxCustomers` to the first", async () => {
    const { gates } = twoGates(
      { registry: createRegistry(), maxCustomers: 7, guard },
      { maxCustomers: undefined, guard: { ...guard } },
    );
    expect(outcome(await gates[0].authorize({ ...request, hold: 5 }))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("insufficient_credits");
  });

  it("keep apart what is of another service or key", async () => {
    const other = createFakeService();
    other.fund("alice", { ai_credits: wallet({ available: 10 }) });
    const client = { ...other.client, fingerprint: async () => "another service" };
    const { gates } = twoGates({ registry: createRegistry() }, { client });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("allowed");
  });
});

describe("gates with registries of their own", () => {
  it("share nothing", async () => {
    const { gates } = twoGates({ registry: createRegistry() }, { registry: createRegistry() });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("allowed");
  });
});

describe("a registry of gates that come and go", () => {
  const clock = createManualClock();
  const registry = createRegistry();
  const settlementLagMs = 1_000;

  function open(key: string) {
    const service = createFakeService();
    service.fund("alice", { ai_credits: wallet({ available: 10 }) });
    const client = { ...service.client, fingerprint: async () => key };
    const options = { client, currency: "ai_credits", wallet: "prepaid", clock, registry } as const;
    return createGate({ ...options, settlementLagMs, lagWatch: false });
  }

  async function use(gate: Gate, tokens?: number) {
    const decision = await gate.authorize(request);
    if (!decision.allowed) throw new Error(decision.denial.code);
    if (tokens !== undefined) decision.charge.report({ outputTokens: tokens });
    await decision.charge.settle();
  }

  it("forgets what a closed gate knew as soon as nothing would be lost by it", async () => {
    for (let number = 0; number < 1_000; number++) {
      const gate = open(`key ${number}`);
      await use(gate, 1);
      await gate.close();
      await clock.advance(settlementLagMs / 10);
    }
    // Those of the last lag, and the one that has just come.
    expect(registry.customers.size).toBeLessThanOrEqual(12);
  });

  it("keeps what an open gate knows, or another of the same key, and usage that may not be debited yet", async () => {
    const [idle, twin, other] = [open("idle"), open("twin"), open("twin")];
    for (const gate of [idle, twin, other]) await use(gate);
    await twin.close();
    const unsettled = open("unsettled");
    await use(unsettled, 1);
    await unsettled.close();
    await clock.advance(settlementLagMs);
    await use(open("new"));
    expect([...registry.customers.keys()]).toEqual(expect.arrayContaining(["idle", "twin", "unsettled"]));
    await other.close();
    await clock.advance(100);
    await use(open("newer"));
    expect([...registry.customers.keys()]).toEqual(["idle", "new", "newer"]);
  });
});

describe("a gate that was closed at once", () => {
  it("is not counted among those that use the wallets, though its client took its time", async () => {
    const registry = createRegistry();
    const asked = pending<string>();
    const client = { ...createFakeService().client, fingerprint: () => asked.promise };
    const clock = createManualClock();
    const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid", registry, clock });
    const closed = gate.close({ graceMs: 0 });
    await clock.advance(0);
    await closed;
    asked.resolve("a service");
    await clock.advance(0);
    expect([...registry.customers.values()].map((cache) => cache.gates.size)).toEqual([0]);
  });
});

describe("the registry of the process", () => {
  it("is one, also for another instance of this module", async () => {
    vi.resetModules();
    const again = await import("../src/registry/registry.ts");
    expect(again.processRegistry).not.toBe(processRegistry);
    expect(again.processRegistry()).toBe(processRegistry());
  });

  it("is the default", async () => {
    const client = { ...createFakeService().client, fingerprint: async () => "registry.test" };
    const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid" });
    await gate.balance("alice");
    expect(processRegistry().customers.has("registry.test")).toBe(true);
    processRegistry().customers.delete("registry.test");
  });
});
