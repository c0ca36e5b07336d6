import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it, vi } from "vitest";
import { answer, createScene, pending, type Scene, status, wallet } from "./service.ts";

const lag = 10_000;

function watchedScene(options: Parameters<typeof createScene>[0] = {}): Scene {
  const scene = createScene({ lagWatch: true, settlementLagMs: lag, ...options });
  scene.service.fund("alice", { ai_credits: wallet({ available: 100 }) });
  return scene;
}

async function work(scene: Scene, credits = 2): Promise<void> {
  const charge = await scene.admit(5);
  charge.report({ inputTokens: 1 }, { credits });
  await charge.settle();
  await scene.clock.advance(0);
}

describe("the lag watch", () => {
  it("tells within twice the lag when the balance has not moved", async () => {
    const scene = watchedScene();
    await work(scene);
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toMatchObject([
      {
        customerId: "alice",
        currency: "ai_credits",
        credits: 2,
        settlementLagMs: lag,
        report: { agentId: "chat", indicator: "message" },
      },
    ]);
  });

  it("keeps no process alive: its timer is an idle one", async () => {
    const clock = createManualClock();
    const schedule = vi.spyOn(clock, "schedule");
    const scene = watchedScene({ clock, settlementLagMs: 7_777 });
    await work(scene);
    const timers = schedule.mock.calls.filter(([delayMs]) => delayMs === 7_777);
    expect(timers).toEqual([[7_777, expect.any(Function), { idle: true }]]);
  });

  it("is silent when the balance has fallen", async () => {
    const scene = watchedScene();
    await work(scene);
    scene.service.fund("alice", { ai_credits: wallet({ available: 98 }) });
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toEqual([]);
  });

  it("counts what is reported and debited while it looks", async () => {
    const scene = watchedScene();
    await work(scene);
    const { promise, resolve } = pending<ReturnType<typeof answer>>();
    scene.service.onBalance = () => promise;
    await scene.clock.advance(lag);
    await work(scene);
    resolve(answer({ balances: { ai_credits: wallet({ available: 96 }) } }));
    await scene.clock.advance(0);
    expect(scene.emitted("degraded")).toEqual([]);
  });

  it("watches what an unlimited postpaid wallet has used", async () => {
    const scene = watchedScene({ wallet: "postpaid" });
    scene.service.fund("alice", { ai_credits: wallet({ postpaid_used: 7 }) });
    await work(scene);
    scene.service.fund("alice", { ai_credits: wallet({ postpaid_used: 9 }) });
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toEqual([]);
    await work(scene);
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toHaveLength(1);
  });

  it.each([
    ["and a balance does not say what is not debited, tells each time", {}, 3],
    ["and a balance says what is not debited, is silent", { unsettled: 2 }, 0],
  ])("where the service tells what a report costs, %s", async (_name, emitted, times) => {
    const scene = watchedScene();
    scene.service.onUsage = async ({ key }) => answer({ credits: 2, currency: "ai_credits" }, key);
    const body = { balances: { ai_credits: { ...wallet({ available: 100 }), ...emitted } } };
    scene.service.onBalance = async () => ({ ...answer(body), isFresh: true });
    for (let i = 0; i < 3; i++) {
      await work(scene);
      await scene.clock.advance(2 * lag);
    }
    expect(scene.emitted("lag")).toHaveLength(times);
  });

  it("is as silent after an answer that says nothing of a wallet", async () => {
    const scene = watchedScene();
    scene.service.onUsage = async ({ key }) => answer({ credits: 2, currency: "ai_credits" }, key);
    const balances = { ai_credits: { ...wallet({ available: 100 }), unsettled: 2 } };
    scene.service.onBalance = async (customerId) => ({
      ...answer({ balances: customerId === "alice" ? balances : {} }),
      isFresh: true,
    });
    await work(scene);
    expect((await scene.authorize(5, "bob")).allowed).toBe(false);
    for (let i = 0; i < 3; i++) await work(scene);
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toEqual([]);
  });

  it("takes a top-up for no proof either way", async () => {
    const scene = watchedScene();
    await work(scene);
    scene.service.fund("alice", { ai_credits: wallet({ available: 198 }) });
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toEqual([]);
  });

  it("begins anew after it has looked", async () => {
    const scene = watchedScene();
    await work(scene);
    await scene.clock.advance(2 * lag);
    await work(scene);
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toHaveLength(2);
  });

  it("says nothing when the balance cannot be read", async () => {
    const scene = watchedScene();
    await work(scene);
    scene.service.onBalance = () => Promise.reject(status(503));
    await scene.clock.advance(2 * lag);
    expect(scene.emitted("lag")).toEqual([]);
  });

  it("expects nothing of usage that is free, refused, or doubtful", async () => {
    const scene = watchedScene({ ambiguous: "park" });
    await work(scene, 0);
    scene.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    await work(scene);
    scene.service.onUsage = () => Promise.reject(status(500));
    await work(scene);
    await scene.clock.advance(4 * lag);
    expect(scene.emitted("lag")).toEqual([]);
    expect(scene.emitted("dead")).toHaveLength(1);
  });

  it("asks for one balance per wallet and lag, however much is reported", async () => {
    const scene = watchedScene({ ttlMs: 60_000 });
    for (let i = 0; i < 10; i++) await work(scene);
    await scene.clock.advance(lag + 1_000);
    expect(scene.service.balanceRequests).toHaveLength(2);
  });

  it("leaves no timer behind a closed gate", async () => {
    const scene = watchedScene();
    await work(scene);
    expect(scene.timers()).toBeGreaterThan(0);
    await scene.gate.close();
    expect(scene.timers()).toBe(0);
  });

  it("can be switched off", async () => {
    const scene = watchedScene({ lagWatch: false });
    await work(scene);
    await scene.clock.advance(3 * lag);
    expect(scene.emitted("lag")).toEqual([]);
    expect(scene.service.balanceRequests).toHaveLength(1);
  });
});
