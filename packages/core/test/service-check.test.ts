import { createGate, createRegistry, type GateOptions } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { checkService as absent } from "../src/service-check/absent.ts";
import { createFakeService, type SceneOptions, wallet } from "./service.ts";

const price = { perEvent: "1", perThousandOutputTokens: "2" };
const indicators = [{ name: "message", billing: "CREDITS", currency: "ai_credits", price, modelPrices: [] }];

/** A gate on a service that lists its agents, and whose alice has ten prepaid credits. */
function gateWith(options: SceneOptions = {}) {
  const service = createFakeService();
  service.fund("alice", { ai_credits: wallet({ available: 10 }) });
  service.agents = async () => [{ agentId: "chat", indicators }];
  const registry = createRegistry();
  const gate = createGate({
    client: service.client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry,
    ...options,
  } as GateOptions);
  return { gate, service };
}

const named = { agentId: "chat", indicator: "message", customerId: "alice" };

describe("Gate.check", () => {
  it("looks with the gate's own currency, wallet and price", async () => {
    const { gate, service } = gateWith({ price: ({ outputTokens = 0 }) => 1 + outputTokens / 500 });
    const findings = await gate.check(named);
    expect(findings.filter(({ ok }) => ok !== true).map(({ name }) => name)).toEqual(["clock"]);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["agent", "indicator", "currency", "price", "customer", "wallet"]),
    );
    expect(service.reports).toEqual([]);
  });

  it.each<[string, SceneOptions]>([
    ["price", { price: () => 1 }],
    ["currency", { currency: "voice_credits" }],
    ["wallet", { wallet: "postpaid" }],
    ["wallet", { wallet: () => "postpaid" }],
  ])("finds a wrong %s of the gate", async (name, options) => {
    const { gate } = gateWith({ price: () => 3, ...options });
    const wrong = (await gate.check(named)).filter(({ ok }) => ok === false);
    expect(wrong.map((finding) => finding.name)).toContain(name);
  });

  it("refuses a name that it does not know, which would check nothing", async () => {
    const misspelt: object = { agent: "chat" };
    await expect(gateWith().gate.check(misspelt)).rejects.toThrow(
      'agent: unknown option; did you mean "agentId"?',
    );
  });

  it("does not fail where wallet() does", async () => {
    const { gate } = gateWith({
      wallet: () => {
        throw new Error("no database");
      },
    });
    expect(await gate.check(named)).toContainEqual(expect.objectContaining({ name: "wallet", ok: true }));
  });

  it("points to creditgate doctor in a bundle for the edge", async () => {
    expect(await absent()).toMatchObject([
      { ok: undefined, fix: expect.stringContaining("creditgate doctor") },
    ]);
  });
});
