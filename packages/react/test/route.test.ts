import { createTestGate } from "@creditgate/core/testing";
import { creditsRoute, readCredits } from "@creditgate/react/route";
import { describe, expect, it } from "vitest";

const request = (init?: RequestInit) => new Request("https://app.example/api/credits?customer=bob", init);

describe("creditsRoute", () => {
  const { gate } = createTestGate({ alice: 10, bob: 99 });
  const answer = creditsRoute(gate, { customer: (each) => each.headers.get("x-session") });
  const as = (session: string) => request({ headers: { "x-session": session } });

  it("tells the signed-in customer's wallet, whatever the request asks for, and lets nothing keep it", async () => {
    const response = await answer(as("alice"));
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ balance: 10, held: 0 });
  });

  it("keeps the balance until the service has billed an answer, which then falls by what that cost", async () => {
    const started = createTestGate({ dora: 20 });
    const read = async () => (await readCredits(started.gate, "dora"))?.balance;
    const balances = [await read()];
    const work = { customerId: "dora", agentId: "chat", indicator: "message", hold: 5 };
    const decision = await started.gate.authorize(work);
    if (!decision.allowed) throw new Error("denied");
    balances.push(await read());
    // No price: until the service says what it cost, all of the hold counts for the gate.
    decision.charge.report({ outputTokens: 1 });
    await decision.charge.settle();
    balances.push(await read());
    expect(balances).toEqual([20, 20, 20]);
    expect(await readCredits(started.gate, "dora")).toEqual({ balance: 20, held: 5 });
  });

  it("tells what is held for work, also when it is done and not billed yet", async () => {
    const decision = await gate.authorize({
      customerId: "bob",
      agentId: "chat",
      indicator: "message",
      hold: 3,
    });
    if (!decision.allowed) throw new Error("denied");
    expect(await readCredits(gate, "bob")).toEqual({ balance: 99, held: 3 });
    decision.charge.report({ outputTokens: 1 }, { credits: 0.1 });
    await decision.charge.settle();
    expect(await readCredits(gate, "bob")).toEqual({ balance: 99, held: 0.1 });
  });

  it("serves the budgets that are named for the signed-in customer", async () => {
    const budget = { limit: 10, used: 4, held: 1, unconfirmed: 0.5 };
    const account = { capacity: 9, held: 1, unconfirmed: 0.5, budgets: { "member:1": budget } };
    const asked: unknown[] = [];
    const balance = async (...args: unknown[]) => {
      asked.push(args);
      return account;
    };
    const route = creditsRoute({ balance }, { customer: () => "alice", budgets: () => ["member:1"] });
    expect(await (await route(request())).json()).toEqual({
      ...{ balance: 9, held: 1.5 },
      budgets: { "member:1": { limit: 10, used: 4, held: 1.5 } },
    });
    expect(asked).toEqual([["alice", { maxAgeMs: 0, budgets: ["member:1"] }]]);
  });

  it("serves what of the balance expires next", async () => {
    const expiring = [{ at: "2026-12-03T00:00:00.000Z", credits: 20 }];
    const balance = async () => ({ capacity: 30, held: 0, unconfirmed: 0, expiring });
    const route = creditsRoute({ balance }, { customer: () => "alice" });
    expect(await (await route(request())).json()).toEqual({ balance: 30, held: 0, expiring });
  });

  it("answers 401 without a customer", async () => {
    const response = await answer(request());
    expect([response.status, response.headers.get("cache-control")]).toEqual([401, "no-store"]);
  });

  it.each(["POST", "HEAD", "PUT", "DELETE", "OPTIONS"])("answers %s with 405", async (method) => {
    const response = await answer(request({ method, headers: { "x-session": "alice" } }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
  });

  it("tells nothing to spend where there is no wallet", async () => {
    const standing = { capacity: undefined, held: 0, unconfirmed: 0, problem: "wallet_missing" };
    expect(await readCredits({ balance: async () => standing }, "carol")).toEqual({ balance: 0, held: 0 });
  });

  it("lets no other site embed an answer, nor a browser take it for something else", async () => {
    for (const response of await Promise.all([answer(as("alice")), answer(request())])) {
      const { headers } = response;
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("answers 503 where the wallet is not known", async () => {
    const unknowing = { balance: async () => undefined };
    const response = await creditsRoute(unknowing, { customer: () => "alice" })(request());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  it("tells a wallet without a limit, and a balance that is old", async () => {
    const standing = { capacity: Number.POSITIVE_INFINITY, held: 1, unconfirmed: 2, stale: true } as const;
    const unlimited = { balance: async () => standing };
    const response = await creditsRoute(unlimited, { customer: () => "alice" })(request());
    expect(await response.json()).toEqual({ balance: null, held: 3, stale: true });
  });

  it("refuses options that cannot be right", () => {
    expect(() => creditsRoute(gate, { customer: "alice" as never })).toThrow("customer: expected a function");
    expect(() => creditsRoute(gate, { customer: () => "alice", maxAgeMs: -1 })).toThrow("maxAgeMs");
  });
});
