import {
  CreditgateError,
  type HeartbeatRequest,
  heartbeatEndpoint,
  heartbeatRequest,
} from "@creditgate/client";
import { createTestGate } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { type HeartbeatOptions, startHeartbeat } from "../src/index.ts";
import { version } from "../src/values/version.ts";

const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 2 };

function scene(chance = 0.5) {
  const test = createTestGate({ alice: 5 });
  const said: HeartbeatRequest[] = [];
  const lines: string[] = [];
  const service = { answer: (): unknown => ({ retry: [] }) };
  const client: HeartbeatOptions["client"] = {
    async send(endpoint, input = {}) {
      expect(endpoint).toBe(heartbeatEndpoint);
      said.push(heartbeatRequest.parse(input.body));
      return { status: 200, body: service.answer(), idempotencyKey: undefined };
    },
  };
  const heartbeat = startHeartbeat(test.gate, {
    client,
    name: "web-eu",
    platform: "Express",
    clock: test.clock,
    random: () => chance,
    logger: { error: (line) => lines.push(line) },
  });
  return { ...test, said, lines, service, heartbeat };
}

async function heartbeats(it: ReturnType<typeof scene>, count: number): Promise<HeartbeatRequest> {
  for (let second = 0; it.said.length < count && second < 600; second++) await it.clock.advance(1_000);
  expect(it.said).toHaveLength(count);
  const last = it.said.at(-1);
  if (last === undefined) throw new Error("nothing was said");
  return last;
}

describe("startHeartbeat", () => {
  it("names the version of the package", () => {
    expect(version).toBe(manifest.version);
  });

  it("says at once and then every five seconds how the gate is, in totals", async () => {
    const it = scene();
    expect(await heartbeats(it, 1)).toMatchObject({
      ...{ name: "web-eu", platform: "Express", version, everyMs: 5_000 },
      ...{ allowed: 0, denied: {}, late: 0, open: 0, held: 0, queued: 0, parked: 0, dead: 0 },
      ...{ waiting: [], retried: [] },
    });
    const first = await it.gate.authorize(work);
    const others = [work, work, { ...work, customerId: "nobody" }].map((one) => it.gate.authorize(one));
    await it.clock.advance(1_000);
    await Promise.all(others);
    const second = await heartbeats(it, 2);
    expect(second).toMatchObject({ allowed: 2, open: 2, held: 4 });
    expect(second.denied).toEqual({ insufficient_credits: 1, customer_unknown: 1 });
    if (first.allowed) await first.charge.release();
    const third = await heartbeats(it, 3);
    expect(third).toMatchObject({ allowed: 2, open: 1, held: 2, denied: second.denied });
    expect(third.gateId).toBe(second.gateId);
    await it.heartbeat.stop();
  });

  it("says a last word when it is stopped, and when the gate closes, and then nothing", async () => {
    const it = scene();
    await heartbeats(it, 1);
    await it.heartbeat.stop();
    await it.heartbeat.stop();
    expect(it.said).toHaveLength(2);
    const other = scene();
    await heartbeats(other, 1);
    await other.gate.close();
    await heartbeats(other, 2);
    await other.clock.advance(60_000);
    expect(other.said).toHaveLength(2);
  });

  it("goes on when the service fails, ever more slowly, and catches up", async () => {
    const it = scene(0.99);
    await heartbeats(it, 1);
    it.service.answer = () => {
      throw new CreditgateError("http", "503", { status: 503 });
    };
    await it.gate.authorize(work);
    await it.clock.advance(300_000);
    // At 10, 25, 50, 94 seconds, and then once in 65 seconds.
    expect(it.said.length).toBeLessThanOrEqual(9);
    it.service.answer = () => ({ retry: [] });
    const { length } = it.said;
    expect(await heartbeats(it, length + 1)).toMatchObject({ allowed: 1 });
    await it.heartbeat.stop();
    expect(it.lines).toEqual([]);
  });

  it("spreads the retries of gates whose heartbeats failed together", async () => {
    const sentBy = async (chance: number) => {
      const it = scene(chance);
      it.service.answer = () => {
        throw new CreditgateError("http", "503", { status: 503 });
      };
      await it.clock.advance(60_500);
      await it.heartbeat.stop();
      return it.said.length;
    };
    // Every 5 s; at 9, 22 and 43 s; and each once more at the end.
    expect(await sentBy(0)).toBe(14);
    expect(await sentBy(0.8)).toBe(5);
  });

  it.each([403, 404, 405])("leaves a service alone that answers %i, and says so once", async (status) => {
    const it = scene();
    it.service.answer = () => {
      throw new CreditgateError("http", `gateHeartbeat: ${status}`, { status });
    };
    await heartbeats(it, 1);
    await it.clock.advance(600_000);
    expect(it.said).toHaveLength(1);
    expect(it.lines).toEqual([`creditgate: heartbeats end, and nothing else does: gateHeartbeat: ${status}`]);
    expect((await it.gate.authorize(work)).allowed).toBe(true);
  });

  it.each([undefined, null, 7, {}, { retry: "all" }, { retry: [7, null] }])(
    "takes %j for an answer that wants nothing",
    async (answer) => {
      const it = scene();
      it.service.answer = () => answer;
      expect(await heartbeats(it, 3)).toMatchObject({ retried: [] });
      await it.heartbeat.stop();
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ["name", { name: "" }],
    ["everyMs", { everyMs: 10 }],
    ["client", { client: {} }],
    ["nmae", { nmae: "web" }],
  ])("refuses a wrong %s", (option, wrong) => {
    const { gate } = createTestGate({});
    const right = { client: { send: () => Promise.reject(new Error("unused")) }, name: "web" };
    expect(() => startHeartbeat(gate, { ...right, ...wrong })).toThrow(option);
  });
});
