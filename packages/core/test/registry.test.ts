import { createGate, createRegistry, type GateOptions } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it, vi } from "vitest";
import { createMemoryLedger } from "../src/memory-ledger.ts";
import { processRegistry } from "../src/registry.ts";
import { createFakeService, outcome, wallet } from "./service.ts";

const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 6 };

function twoGates(options: Partial<GateOptions>, others: Partial<GateOptions> = {}) {
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
  return { service, gates: [createGate(common), createGate({ ...common, ...others })] as const };
}

describe("gates that share a registry", () => {
  it("share the wallets of a service and key: together they never admit more than one would", async () => {
    const { service, gates } = twoGates({ registry: createRegistry() });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("insufficient_credits");
    expect(await gates[1].standing("alice")).toEqual({ capacity: 10, held: 6, unconfirmed: 0 });
    expect(service.mostAirborne).toBe(1);
  });

  it("read the wallets of all currencies with one balance call", async () => {
    const { service, gates } = twoGates({ registry: createRegistry() }, { currency: "voice_credits" });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    expect(outcome(await gates[1].authorize(request))).toBe("allowed");
    expect(service.balanceRequests).toHaveLength(1);
  });

  it("cannot keep the same wallets in two ledgers", async () => {
    const ledger = () => createMemoryLedger(createManualClock());
    const registry = createRegistry();
    const { gates } = twoGates({ registry, ledger: ledger() }, { ledger: ledger() });
    expect(outcome(await gates[0].authorize(request))).toBe("allowed");
    const told: unknown[] = [];
    gates[1].on("degraded", ({ error }) => told.push(String(error)));
    await gates[1].authorize(request).catch((error) => told.push(String(error)));
    expect(told).toEqual([expect.stringContaining("ledger: expected the ledger of the first gate")]);
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

describe("the registry of the process", () => {
  it("is one, also for another instance of this module", async () => {
    vi.resetModules();
    const again = await import("../src/registry.ts");
    expect(again.processRegistry).not.toBe(processRegistry);
    expect(again.processRegistry()).toBe(processRegistry());
  });

  it("is the default", async () => {
    const client = { ...createFakeService().client, fingerprint: async () => "registry.test" };
    const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid" });
    await gate.standing("alice");
    expect(processRegistry().caches.has("registry.test")).toBe(true);
    processRegistry().caches.delete("registry.test");
  });
});
