import { randomUUID } from "node:crypto";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import {
  type HeartbeatAnswer,
  type HeartbeatRequest,
  heartbeatAnswer,
  type WaitingReport,
} from "@creditgate/client";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { forgetGates } from "../src/gates/heartbeat.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { caller } from "./caller.ts";

const minute = 60_000;
let scene: AdminScene;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
});
afterAll(() => scene.plane.stop());

const started = "2026-01-01T00:00:00Z";
const silent: Omit<HeartbeatRequest, "gateId"> = {
  ...{ name: "web", platform: "Express", version: "0.1.0", startedAt: started, everyMs: 5_000 },
  ...{ allowed: 0, denied: {}, late: 0, open: 0, held: 0, queued: 0, parked: 0, dead: 0 },
  ...{ waiting: [], retried: [] },
};

function gate(fixed: Partial<HeartbeatRequest> = {}) {
  const gateId = randomUUID();
  return {
    gateId,
    async says(news: Partial<HeartbeatRequest> = {}): Promise<HeartbeatAnswer> {
      const body = { ...silent, gateId, ...fixed, ...news };
      const { status, json } = await caller(scene.plane)("POST", "/api/v2/gates/heartbeat", { body });
      expect(status).toBe(200);
      return heartbeatAnswer.parse(json);
    },
  };
}

const waiting = (id: string, fields: Partial<WaitingReport> = {}): WaitingReport => ({
  ...{ id, state: "dead", customerId: "alice", agentId: "chat", indicator: "message", credits: 84.1 },
  ...{ reason: "404 agent unknown", since: started, ...fields },
});

const ofName = async (name: string, minutes = 60) => {
  const { gates, decisions, reports } = await acme.gates.list({ minutes });
  const own = <Of extends { readonly name: string }>(all: readonly Of[]) =>
    all.filter((one) => one.name === name);
  return { gates: own(gates), decisions: own(decisions), reports: own(reports) };
};

describe("what gates say of themselves", () => {
  it("is shown as each said it last", async () => {
    const [one, other] = [gate(), gate({ platform: "Next.js" })];
    expect(await one.says({ held: 1.5, open: 2 })).toEqual({ retry: [] });
    await other.says({ queued: 4 });
    await one.says({ held: 0.000_001, open: 1 });
    const { gates } = await ofName("web");
    expect(gates).toHaveLength(2);
    expect(gates.find(({ gateId }) => gateId === one.gateId)).toEqual({
      ...{ gateId: one.gateId, name: "web", platform: "Express", version: "0.1.0", startedAt: started },
      ...{ heardAt: new Date(scene.clock.time).toISOString(), everyMs: 5_000 },
      ...{ open: 1, held: 0.000_001, queued: 0, parked: 0, dead: 0, late: 0 },
    });
    expect(gates.find(({ gateId }) => gateId === other.gateId)).toMatchObject({ queued: 4 });
  });

  it("counts each decision once, however often and in whatever order it is said", async () => {
    const [one, other] = [gate({ name: "counted" }), gate({ name: "counted" })];
    await one.says({ allowed: 10, denied: { insufficient_credits: 2 } });
    await one.says({ allowed: 10, denied: { insufficient_credits: 2 } });
    await other.says({ allowed: 5 });
    await one.says({ allowed: 30, denied: { insufficient_credits: 2, closing: 1 } });
    expect((await ofName("counted")).decisions).toEqual([
      { name: "counted", code: null, decisions: 35 },
      { name: "counted", code: "closing", decisions: 1 },
      { name: "counted", code: "insufficient_credits", decisions: 2 },
    ]);
  });

  it("counts what gates say at the same time", async () => {
    const gates = Array.from({ length: 12 }, () => gate({ name: "many" }));
    await Promise.all(gates.map((one) => one.says({ allowed: 1 })));
    await Promise.all(gates.flatMap((one) => [one.says({ allowed: 3 }), one.says({ allowed: 3 })]));
    expect((await ofName("many")).decisions).toEqual([{ name: "many", code: null, decisions: 36 }]);
  });

  it("is told for as long as was asked, and forgotten after an hour of silence", async () => {
    const old = gate({ name: "old" });
    await old.says({ allowed: 7 });
    scene.clock.time += 10 * minute;
    await old.says({ allowed: 8 });
    expect((await ofName("old", 5)).decisions).toEqual([{ name: "old", code: null, decisions: 1 }]);
    expect((await ofName("old", 15)).decisions).toEqual([{ name: "old", code: null, decisions: 8 }]);
    scene.clock.time += hour;
    expect((await ofName("old")).gates).toEqual([]);
    expect((await ofName("old", 1_440)).decisions).toEqual([{ name: "old", code: null, decisions: 8 }]);
    scene.clock.time += 25 * hour;
    const { database, close } = connect(scene.plane.databaseUrl);
    await forgetGates(database, new Date(scene.clock.time));
    const left = await Promise.all([
      database.selectFrom("gates").selectAll().execute(),
      database.selectFrom("gate_decisions").selectAll().execute(),
    ]);
    expect(left).toEqual([[], []]);
    await close();
  });
});

describe("a gate that says other names and codes each time", () => {
  it("is counted for ten thousand of them in five minutes; those that are known go on", async () => {
    scene.clock.time += 10 * minute;
    const letters = "abcdefghij";
    const denied = Object.fromEntries(
      [...letters].flatMap((one) => [..."abcde"].map((other) => [`${one}${other}`, 1])),
    );
    const known = gate({ name: "known" });
    await known.says({ allowed: 1 });
    const other = gate();
    const says = (name: string, fields: Partial<HeartbeatRequest>) =>
      caller(scene.plane)("POST", "/api/v2/gates/heartbeat", {
        body: { ...silent, gateId: other.gateId, name, ...fields },
      });
    const codes = (round: number) =>
      Object.fromEntries(Object.keys(denied).map((code) => [`${code}_${"x".repeat(round)}`, 1]));
    let refused: unknown;
    for (let round = 0; round < 201 && refused === undefined; round++) {
      const answer = await says(`name ${round}`, { denied: codes(round % 40) });
      if (answer.status !== 200) refused = [round, answer.status, answer.json.code];
    }
    expect(refused).toEqual([199, 409, "too_many_gates"]);
    await known.says({ allowed: 2 });
    const { decisions } = await acme.gates.list({ minutes: 1_440 });
    expect(decisions.length).toBeLessThanOrEqual(10_000);
    expect(decisions.find(({ name }) => name === "known")).toMatchObject({ decisions: 2 });
  });
});

describe("reports that wait", () => {
  it("are listed, the dead first, and named to their gate until it has sent them again", async () => {
    const one = gate({ name: "stuck" });
    const reports = [
      waiting("p", { state: "parked" }),
      waiting("d2", { since: "2026-01-01T00:00:02Z" }),
      waiting("d1"),
    ];
    await one.says({ waiting: reports, dead: 2, parked: 1 });
    const listed = (await ofName("stuck")).reports;
    expect(listed.map(({ id }) => id)).toEqual(["d1", "d2", "p"]);
    expect(listed[0]).toEqual({ ...waiting("d1"), gateId: one.gateId, name: "stuck", retrying: false });

    expect(await acme.gates.retry(one.gateId, ["d1", "p", "unknown"])).toEqual({ asked: ["p", "d1"] });
    expect(await scene.lastAudit()).toMatchObject({
      action: "gate.retry",
      subject: one.gateId,
      after: { reportIds: ["p", "d1"] },
    });
    await acme.gates.retry(one.gateId, ["p"]);
    expect((await ofName("stuck")).reports.map(({ retrying }) => retrying)).toEqual([true, false, true]);
    expect((await one.says({ waiting: reports })).retry).toEqual(["p", "d1"]);
    expect((await one.says({ waiting: reports })).retry).toEqual(["p", "d1"]);
    expect((await one.says({ waiting: reports.slice(1, 2), retried: ["p", "d1"] })).retry).toEqual([]);
    expect((await ofName("stuck")).reports.map(({ id, retrying }) => [id, retrying])).toEqual([
      ["d2", false],
    ]);
  });

  it("are named to their gate whatever characters are in them", async () => {
    const one = gate({ name: "odd" });
    const id = `\\u0000 "\\ud800" \u{1F6A2} \u2028 ' \\`;
    const said = { waiting: [waiting(id, { reason: id, customerId: id })], allowed: 1 };
    await one.says(said);
    expect(await acme.gates.retry(one.gateId, [id])).toEqual({ asked: [id] });
    expect((await one.says({ ...said, allowed: 2 })).retry).toEqual([id]);
    expect((await ofName("odd")).decisions).toEqual([{ name: "odd", code: null, decisions: 2 }]);
  });

  it("are not asked of a gate that is not there, or another organisation's", async () => {
    for (const id of [randomUUID(), "not-an-id"]) {
      await expect(acme.gates.retry(id, ["d"])).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe("a gate that says what no gate says", () => {
  it("is counted, whatever its codes are called", async () => {
    const one = gate({ name: "inherited" });
    await one.says({ denied: {} });
    await one.says({ denied: { constructor: 3 } });
    await one.says({ denied: { constructor: 5 } });
    expect((await ofName("inherited")).decisions).toEqual([
      { name: "inherited", code: "constructor", decisions: 5 },
    ]);
  });

  it("leaves the list of gates readable, however many decisions it tells of, under however many names", async () => {
    const many = Array.from({ length: 12 }, () => gate({ name: "huge", allowed: 1e15 }));
    await Promise.all(many.map((one) => one.says()));
    expect((await ofName("huge")).decisions).toEqual([
      { name: "huge", code: null, decisions: Number.MAX_SAFE_INTEGER },
    ]);
    const { database, close } = connect(scene.plane.databaseUrl);
    const at = new Date(Math.floor(scene.clock.time / 300_000) * 300_000);
    const { organizationId } = acme;
    await sql`insert into gate_decisions
      select ${organizationId}, ${at}, 'name ' || number, '', 1 from generate_series(1, 12000) number`.execute(
      database,
    );
    const { decisions } = await acme.gates.list();
    expect(decisions).toHaveLength(10_000);
    expect(decisions.some(({ name }) => name === "huge")).toBe(true);
    await database.deleteFrom("gate_decisions").execute();
    await close();
  });

  it("names reports that wait as far as there is room in what its organisation may say", async () => {
    const full = Array.from({ length: 100 }, (_, at) => waiting(`w${at}`, { reason: "r".repeat(2_000) }));
    for (let at = 0; at < 30; at++) await gate({ name: "full", waiting: full, dead: 100 }).says();
    const { gates } = await ofName("full");
    expect(gates).toHaveLength(30);
    expect(gates.every(({ dead }) => dead === 100)).toBe(true);
    const { database, close } = connect(scene.plane.databaseUrl);
    const { bytes } = await database
      .selectFrom("gates")
      .select(sql<bigint>`sum(octet_length(said))`.as("bytes"))
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBeLessThan(5 * 1024 * 1024);
    await close();
  });
});

describe("a heartbeat that is none", () => {
  it.each<[string, object]>([
    ["no gate", { gateId: "mine" }],
    ["a count that is none", { allowed: -1 }],
    ["more than can be counted", { allowed: 1e15 + 1 }],
    ["more credits than there are", { held: 1e300 }],
    ["a code that is none", { denied: { "<b>": 1 } }],
    [
      "too many codes",
      { denied: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`code_${"x".repeat(at)}`, 1])) },
    ],
    ["a name with a control character", { name: "a\u0000b" }],
    [
      "more reports than it may name",
      { waiting: Array.from({ length: 101 }, (_, at) => waiting(String(at))) },
    ],
    ["a report of no state", { waiting: [{ ...waiting("a"), state: "lost" }] }],
  ])("is refused: %s", async (_, wrong) => {
    const body = { ...silent, gateId: randomUUID(), ...wrong };
    const { status, json } = await caller(scene.plane)("POST", "/api/v2/gates/heartbeat", { body });
    expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid_request" });
  });

  it("is one gate too many", async () => {
    const { database, close } = connect(scene.plane.databaseUrl);
    const said = JSON.stringify({ ...silent, gateId: randomUUID(), name: "crowd" });
    await database
      .insertInto("gates")
      .values(
        Array.from({ length: 1_000 }, () => ({
          ...{ org_id: BigInt(acme.organizationId), gate_id: randomUUID(), name: "crowd", said },
          heard_at: new Date(scene.clock.time),
        })),
      )
      .execute();
    const body = { ...silent, gateId: randomUUID() };
    const { status, json } = await caller(scene.plane)("POST", "/api/v2/gates/heartbeat", { body });
    expect({ status, code: json.code }).toEqual({ status: 409, code: "too_many_gates" });
    await database.deleteFrom("gates").execute();
    await close();
  });
});
