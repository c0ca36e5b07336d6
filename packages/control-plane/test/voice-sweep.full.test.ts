import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMetrics } from "../src/metrics/metrics.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { billCall, closeCall, openCall, type Tracked, track } from "../src/voice/call.ts";
import { startVoiceSweep, sweepCalls, voiceSweepAgeMs } from "../src/voice/sweep.ts";
import { openAdminApp } from "./admin-app.ts";
import { phone } from "./phone.ts";
import { openScene, type Scene } from "./scene.ts";

/** Phone with a second agent, whose calls can end in two ways that cost. */
let scene: Scene;
let told: string[];
beforeEach(async () => {
  const [agent] = phone.agents ?? [];
  const [indicator] = agent?.indicators ?? [];
  if (agent === undefined || indicator === undefined) throw new Error("Phone has both.");
  const desk = {
    ...agent,
    agentId: "desk",
    agent_external_id: "desk",
    indicators: [indicator, { ...indicator, name: "call won" }],
  };
  scene = await openScene({ ...phone, agents: [agent, desk] });
  told = [];
});
afterEach(() => scene.close());

const at = () => new Date(scene.clock.now());
const key = (sessionId: string) => ({ orgId: scene.orgId, sessionId });
const sweep = () => sweepCalls(scene.database, at(), (error) => told.push(String(error)));

const open = (sessionId: string, agentId = "caller") =>
  scene.database
    .transaction()
    .execute((transaction) => openCall(transaction, key(sessionId), { agentId, customerId: "pre" }, at()));

const say = (sessionId: string, usage: Tracked = { kind: "tts", characters: 10_000 }) =>
  scene.database.transaction().execute((transaction) => track(transaction, key(sessionId), usage, at()));

const indicate = (sessionId: string) =>
  scene.database.transaction().execute((transaction) =>
    closeCall(transaction, key(sessionId), {
      indicator: "call completed",
      totalDuration: 1,
      hash: "0".repeat(64),
      at: at(),
      dueAt: at(),
    }),
  );

async function spent(): Promise<number> {
  while ((await settleDue(scene.database, at())) > 0);
  const { available } = await scene.database
    .selectFrom("wallets")
    .select("available")
    .where("customer_id", "=", "pre")
    .executeTakeFirstOrThrow();
  return 100 - Number(available) / 1e6;
}

describe("a call without an indicator", () => {
  it("is ended a day after the last that was heard of it, and what was tracked is billed: not the call, nor minutes", async () => {
    await open("silent");
    scene.clock.time += voiceSweepAgeMs - 1;
    await say("silent");
    scene.clock.time += voiceSweepAgeMs - 1;
    expect(await sweep()).toEqual({ billed: 0, abandoned: 0 });
    scene.clock.time += 1;
    expect(await sweep()).toEqual({ billed: 1, abandoned: 0 });
    expect(await sweep()).toEqual({ billed: 0, abandoned: 0 });
    expect(await spent()).toBe(1);
    expect(await indicate("silent")).toEqual({ accepted: false, reason: "session_closed" });
    expect(told).toEqual([]);
  });

  it("is told, listed and counted where its agent has several indicators, and billed when one comes after all", async () => {
    await open("open", "desk");
    await open("desk", "desk");
    await say("desk");
    await open("empty", "desk");
    scene.clock.time += voiceSweepAgeMs;
    await say("open");
    expect(await sweep()).toEqual({ billed: 0, abandoned: 2 });
    expect(told).toEqual([
      expect.stringMatching(
        /^ControlPlaneError: voice: call "desk" of organisation \d+ got no indicator for a day, .* is not billed: its agent "desk" has 2 indicators in CREDITS, .* Send its indicator/,
      ),
    ]);
    const metrics = createMetrics({
      database: scene.database,
      pools: {},
      clock: scene.clock,
      periodSettings: defaultPeriodSettings,
    });
    expect(await metrics.render()).toContain("\ncreditgate_voice_sessions_abandoned 1\n");
    const admin = await openAdminApp(scene.database, scene.clock);
    const response = await admin.get(`/organizations/${scene.orgId}/voice-sessions`);
    expect(await response.json()).toMatchObject({
      sessions: [
        { sessionId: "desk", abandonedAt: "2026-01-02T00:00:00.000Z", parts: 1 },
        { sessionId: "empty", abandonedAt: "2026-01-02T00:00:00.000Z", parts: 0 },
        { sessionId: "open", abandonedAt: null, parts: 1 },
      ],
    });
    await admin.close();
    expect(await indicate("desk")).toMatchObject({ accepted: true });
    expect(await spent()).toBe(2.5);
    expect(await metrics.render()).toContain("\ncreditgate_voice_sessions_abandoned 0\n");
  });

  it("is noted where it costs more than an event may, and holds up no other", async () => {
    await open("dear");
    const tokens = {
      promptTokens: 1e9,
      completionTokens: 0,
      provider: "openai",
      model: "gpt-5",
      plan: "pro",
    };
    for (let part = 0; part < 101; part++) await say("dear", { kind: "llm", ...tokens });
    scene.clock.time += 1;
    await open("next");
    await say("next");
    scene.clock.time += voiceSweepAgeMs;
    expect(await sweep()).toEqual({ billed: 1, abandoned: 1 });
    expect(told).toEqual([expect.stringContaining("its parts cost more than one billion credits")]);
  });

  it("is swept in the background, by any number of workers once", async () => {
    await open("silent");
    await say("silent");
    scene.clock.time += voiceSweepAgeMs;
    const options = { database: scene.database, clock: scene.clock, pollMs: 1 };
    const workers = [startVoiceSweep(options), startVoiceSweep(options), startVoiceSweep(options)];
    await expect.poll(spent).toBe(1);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await spent()).toBe(1);
  });
});

describe("billCall", () => {
  it("does not close a call whose usage was not stored", async () => {
    const call = { ...key("lost"), agentId: "caller", customerId: "nobody" };
    const bill = {
      indicator: "call completed",
      hash: "0".repeat(64),
      at: at(),
      dueAt: at(),
      rawUsage: {},
    };
    await expect(
      scene.database.transaction().execute((transaction) => billCall(transaction, call, bill)),
    ).rejects.toThrow("Call lost: its usage was not stored.");
  });
});
