import { describe, expect, it } from "vitest";
import { createScene, hangs, status, wallet } from "./service.ts";

describe("the trace of a decision", () => {
  it("is plain data that JSON keeps whole", async () => {
    const scene = createScene({ wallet: "postpaid" });
    scene.service.fund("alice", { ai_credits: wallet() });
    const { trace } = await scene.authorize(1);
    expect(trace.capacity).toBe("unlimited");
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
  });

  it("says cached, and gives the figures that let the request in", async () => {
    const scene = createScene();
    scene.service.fund("alice", { ai_credits: wallet({ available: 10.5, overage_limit: 2 }) });
    const settled = await scene.admit(1);
    settled.report({ inputTokens: 1 }, { credits: 0.25 });
    await settled.settle();
    await scene.admit(2);
    await scene.clock.advance(1_500);
    expect((await scene.authorize(3)).trace).toEqual({
      rule: "cached",
      mode: "enforce",
      wallet: "prepaid",
      hold: 3,
      capacity: 12.5,
      held: 2,
      unconfirmed: 0.25,
      snapshotAgeMs: 1_500,
      waitedMs: 0,
    });
  });

  it("says stale where the balance is older than ttlMs and read again behind", async () => {
    const scene = createScene({ ttlMs: 100 });
    scene.service.fund("alice", { ai_credits: wallet({ available: 10 }) });
    await scene.authorize(1);
    await scene.clock.advance(101);
    expect((await scene.authorize(1)).trace).toMatchObject({ rule: "stale", snapshotAgeMs: 101 });
  });

  it("says news where a balance was read for the request, and how long that took", async () => {
    const scene = createScene({ minRefreshMs: 250 });
    scene.service.fund("alice", { ai_credits: wallet({ available: 1 }) });
    expect((await scene.authorize(1)).trace).toMatchObject({ rule: "fresh", capacity: 1 });
    const denied = scene.authorize(1);
    await scene.clock.advance(250);
    expect((await denied).trace).toMatchObject({ rule: "fresh", held: 1, waitedMs: 250, snapshotAgeMs: 0 });
  });

  it("says no_news where the balance could not be read", async () => {
    const scene = createScene({ checkTimeoutMs: 300 });
    scene.service.onBalance = hangs;
    const denied = scene.authorize(1);
    await scene.clock.advance(300);
    expect((await denied).trace).toMatchObject({
      rule: "unread",
      capacity: null,
      snapshotAgeMs: null,
      waitedMs: 300,
    });
  });

  it("names the problem of a wallet instead of its capacity", async () => {
    const scene = createScene();
    scene.service.fund("alice", { voice_credits: wallet({ available: 10 }) });
    expect((await scene.authorize(1)).trace).toMatchObject({ rule: "fresh", capacity: "wallet_missing" });
  });

  it("says refused where the wallet was not looked at", async () => {
    const scene = createScene();
    await scene.gate.close();
    expect((await scene.authorize(1)).trace).toMatchObject({ rule: "refused", wallet: null, capacity: null });
  });

  it("comes with the decision event", async () => {
    const scene = createScene();
    scene.service.onBalance = () => Promise.reject(status(500));
    const { trace } = await scene.authorize(1);
    expect(scene.emitted("decision")).toEqual([
      {
        customerId: "alice",
        currency: "ai_credits",
        agentId: "chat",
        indicator: "message",
        allowed: false,
        code: "upstream_unavailable",
        trace,
      },
    ]);
  });
});
