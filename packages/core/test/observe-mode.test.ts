import { describe, expect, it } from "vitest";
import { createScene, hangs, wallet } from "./service.ts";

const who = { agentId: "chat", indicator: "message", hold: 1 };

describe("observe mode", () => {
  it("lets in who cannot pay, and says what it would have answered", async () => {
    const scene = createScene({ mode: "observe" });
    scene.service.fund("alice", { ai_credits: wallet() });
    expect(await scene.authorize(1)).toMatchObject({
      allowed: true,
      observed: { code: "insufficient_credits", status: 402, required: 1, available: 0 },
      trace: { mode: "observe", rule: "fresh", capacity: 0 },
    });
    expect(scene.emitted("decision")).toMatchObject([{ allowed: false, code: "insufficient_credits" }]);
  });

  it("bills the work of those it would have denied, and counts it from then on", async () => {
    const scene = createScene({ mode: "observe" });
    scene.service.fund("alice", { ai_credits: wallet() });
    const charge = await scene.admit(1);
    charge.report({ inputTokens: 1 }, { credits: 3 });
    await charge.settle();
    expect(await scene.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(scene.service.reports).toHaveLength(1);
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 3 });
  });

  it("says nothing of those it would have let in", async () => {
    const scene = createScene({ mode: "observe" });
    scene.service.fund("alice", { ai_credits: wallet({ available: 5 }) });
    expect(await scene.authorize(1)).not.toHaveProperty("observed");
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 1 });
  });

  it("lets in when the balance cannot be read, after checkTimeoutMs", async () => {
    const scene = createScene({ mode: "observe", checkTimeoutMs: 300 });
    scene.service.onBalance = hangs;
    const decision = scene.authorize(1);
    await scene.clock.advance(300);
    expect(await decision).toMatchObject({ allowed: true, observed: { code: "upstream_unavailable" } });
  });

  it("lets in whom it does not know, and bills nobody", async () => {
    const scene = createScene({ mode: "observe" });
    const decision = await scene.gate.authorize({ ...who, customerId: undefined });
    expect(decision).toMatchObject({ allowed: true, observed: { code: "customer_unresolved" } });
    if (!decision.allowed) return;
    decision.charge.report({ inputTokens: 1 });
    await decision.charge.settle();
    expect(await scene.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(scene.service.reports).toEqual([]);
  });

  it("does not ask what to recommend to someone who is let in", async () => {
    const scene = createScene({ mode: "observe" });
    scene.service.fund("alice", { ai_credits: wallet() });
    let asked = 0;
    scene.service.onSubscription = async () => ++asked;
    await scene.authorize(1);
    expect(asked).toBe(0);
  });
});
