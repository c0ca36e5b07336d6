import { randomUUID } from "node:crypto";
import { createAdminClient, type OrganizationAdmin, type Rates } from "@creditgate/admin";
import { createClient, type UsageReportAnswer } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../src/index.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { acme as fixture } from "./fixture.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
});
afterAll(() => scene.plane.stop());

const agents = () => `${scene.path}/agents`;
const credits = (perEvent: number, more: Rates = {}) => ({
  billing: "CREDITS",
  currency: "ai_credits",
  price: { perEvent, ...more },
});

async function newIndicator(perEvent = 1): Promise<[agentId: string, indicator: string]> {
  const { agentId } = await acme.agents.create({ agentExternalId: randomUUID(), agentName: "Agent" });
  await acme.indicators.create(agentId, { name: "message", ...credits(perEvent) });
  return [agentId, "message"];
}

/** What a report costs. */
async function costOf(agentId: string, indicator: string, rawUsage = {}): Promise<number | undefined> {
  const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
  const { body } = await client.usage.report({ agentId, customerId: "alice", indicator, rawUsage });
  return (body as UsageReportAnswer).credits;
}

describe("/admin/api/organizations/{id}/agents", () => {
  it("creates an agent, whose IDs no other has, and finds it", async () => {
    const agent = {
      agentId: "support",
      agentExternalId: "support-1",
      agentName: "Support",
      agentDescription: "Answers the phone.\nAlways.",
      agentType: "voice",
    };
    const created = await scene.admin.post(agents(), agent);
    expect([created.status, created.json]).toEqual([
      201,
      { ...agent, createdAt: "2026-01-01T00:00:00.000Z", etag: expect.any(String), indicators: 0 },
    ]);
    expect(await scene.lastAudit()).toMatchObject({
      actor: "admin:test",
      action: "agent.create",
      subject: "support",
      after: { agentName: "Support" },
    });
    for (const twin of [
      { ...agent, agentId: "other" },
      { ...agent, agentExternalId: "other" },
    ]) {
      expect(await scene.admin.post(agents(), twin)).toMatchObject({
        status: 409,
        json: { code: "agent_exists" },
      });
    }
    expect((await scene.admin.get(`${agents()}/support`)).json).toEqual(created.json);
    const found = await acme.agents.list({ agentExternalId: "support-1" });
    expect(found).toMatchObject({ agents: [{ agentId: "support" }], next: null });
    const ids: string[] = [];
    for await (const { agentId } of acme.agents.all({ limit: 1 })) ids.push(agentId);
    expect(ids).toEqual(expect.arrayContaining(["chat", "support"]));
  });

  it("changes what an agent is called, and a fixture leaves it so", async () => {
    const edited = await acme.agents.edit("chat", { agentName: "Chat of ours", agentType: null });
    expect(edited).toMatchObject({ agentId: "chat", agentName: "Chat of ours", agentType: null });
    expect(await scene.lastAudit()).toMatchObject({
      action: "agent.edit",
      before: { agentName: "Chat", agentType: "chat" },
      after: { agentName: "Chat of ours", agentType: null },
    });
    await restart(fixture);
    expect(await acme.agents.get("chat")).toEqual(edited);
    const unknown = await scene.admin.post(`${agents()}/none`, { agentName: "X" });
    expect([unknown.status, unknown.json.code]).toEqual([404, "agent_unknown"]);
  });
});

describe("/admin/api/organizations/{id}/agents/{agentId}/indicators", () => {
  it("creates an indicator with its first price, which bills at once", async () => {
    const { agentId } = await acme.agents.create({ agentExternalId: "writer", agentName: "Writer" });
    const modelPrices = [{ provider: "openai", model: "gpt-5", plan: "pro", price: { perEvent: "0.5" } }];
    const indicator = {
      name: "draft",
      ...credits(2, { perImage: 3, perUnit: { pages: 0.25 } }),
      modelPrices,
    };
    const created = await scene.admin.post(`${agents()}/${agentId}/indicators`, indicator);
    expect([created.status, created.json]).toEqual([
      201,
      {
        name: "draft",
        version: 1,
        validFrom: "2026-01-01T00:00:00.000Z",
        setBy: "admin:test",
        setAt: "2026-01-01T00:00:00.000Z",
        inForce: true,
        etag: expect.any(String),
        billing: "CREDITS",
        currency: "ai_credits",
        price: { perEvent: "2", perImage: "3", perUnit: { pages: "0.25" } },
        modelPrices,
      },
    ]);
    expect(await scene.lastAudit()).toMatchObject({
      action: "indicator.create",
      subject: { agent: agentId, indicator: "draft" },
      after: { price: { perEvent: "2" } },
    });
    expect((await acme.indicators.of(agentId).list()).indicators).toEqual([created.json]);
    expect(await costOf(agentId, "draft", { images: 2, units: { pages: 10 } })).toBe(10.5);
    const again = await scene.admin.post(`${agents()}/${agentId}/indicators`, indicator);
    expect([again.status, again.json.code]).toEqual([409, "indicator_exists"]);
    const nowhere = await scene.admin.post(`${agents()}/none/indicators`, indicator);
    expect([nowhere.status, nowhere.json.code]).toEqual([404, "agent_unknown"]);
  });

  it.each<[string, object, string]>([
    ["CREDITS in other letters", { billing: "credits" }, "/billing"],
    ["CREDITS without a currency", { currency: undefined }, "/currency"],
    ["CREDITS without a rate", { price: {} }, "/price"],
    ["a rate that is misspelt", { price: { perEvent: 1, perMessage: 1 } }, "/price"],
    ["a rate below 0", { price: { perEvent: -1 } }, "/price/perEvent"],
    ["a rate that is no number", { price: { perEvent: "1,5" } }, "/price/perEvent"],
    ["a unit's rate below 0", { price: { perUnit: { pages: -1 } } }, "/price/perUnit"],
    ["rates of units without one", { price: { perUnit: {} } }, "/price/perUnit"],
    ["a price of a model twice", { modelPrices: [model, model] }, "/modelPrices"],
    ["a field that there is not", { valid_from: "2026-01-01" }, "/"],
  ])("refuses %s", async (_, change, pointer) => {
    const body = { name: "x", ...credits(1), ...change };
    const { status, json } = await scene.admin.post(`${agents()}/chat/indicators`, body);
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ pointer })]]);
  });
});

const model = { provider: "openai", model: "gpt-5", price: { perEvent: 1 } };

describe("/admin/api/organizations/{id}/agents/{agentId}/indicators/{indicator}/prices", () => {
  it("sets a price from an instant on; what was used before costs what it did", async () => {
    const [agentId, indicator] = await newIndicator(1);
    const validFrom = new Date(scene.clock.time + hour).toISOString();
    const set = await scene.admin.post(`${agents()}/${agentId}/indicators/${indicator}/prices`, {
      ...credits(5),
      validFrom,
    });
    expect([set.status, set.json]).toMatchObject([
      201,
      { version: 2, validFrom, setBy: "admin:test", inForce: false, price: { perEvent: "5" } },
    ]);
    expect(await scene.lastAudit()).toMatchObject({
      actor: "admin:test",
      action: "price.set",
      subject: { agent: agentId, indicator },
      before: { version: 1, price: { perEvent: "1" } },
      after: { version: 2, price: { perEvent: "5" }, validFrom },
    });
    expect(await costOf(agentId, indicator)).toBe(1);
    scene.clock.time += hour;
    expect(await costOf(agentId, indicator)).toBe(5);
    const { prices } = await acme.indicators.prices(agentId, indicator).list();
    expect(prices.map(({ version, inForce }) => [version, inForce])).toEqual([
      [2, true],
      [1, false],
    ]);
    const first = await acme.indicators.prices(agentId, indicator).list({ limit: 1 });
    const rest = await acme.indicators.prices(agentId, indicator).list({ cursor: first.next ?? "" });
    expect([...first.prices, ...rest.prices]).toEqual(prices);
  });

  it("makes no version of terms that hold already, however they are written and however often they are set", async () => {
    const [agentId, indicator] = await newIndicator(7);
    const before = await scene.lastAudit();
    const same = await Promise.all(
      ["7.00", 7, "7"].map((perEvent) =>
        acme.indicators.setPrice(agentId, indicator, { ...credits(7), price: { perEvent } }),
      ),
    );
    expect(same.map(({ version }) => version)).toEqual([1, 1, 1]);
    expect(await scene.lastAudit()).toEqual(before);
    const changed = await Promise.all(
      Array.from({ length: 4 }, () => acme.indicators.setPrice(agentId, indicator, credits(8))),
    );
    expect(changed.map(({ version }) => version)).toEqual([2, 2, 2, 2]);
  });

  it("refuses the past, which has been billed", async () => {
    const path = `${agents()}/chat/indicators/message/prices`;
    const validFrom = new Date(scene.clock.time - 1).toISOString();
    const { status, json } = await scene.admin.post(path, { ...credits(1), validFrom });
    expect([status, json.code]).toEqual([422, "valid_from_past"]);
    expect(json.detail).toContain(`received "${validFrom}"`);
  });

  it.each([
    ["none/indicators/message", "agent_unknown"],
    ["chat/indicators/none", "indicator_unknown"],
  ])("answers 404 to the price of %s", async (path, code) => {
    for (const answer of [
      await scene.admin.get(`${agents()}/${path}/prices`),
      await scene.admin.post(`${agents()}/${path}/prices`, credits(1)),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, code]);
    }
  });
});

/** A server that starts on the same database, with a fixture; resolves what it tells. */
async function restart(changed: typeof fixture): Promise<readonly string[]> {
  const told: string[] = [];
  const { databaseUrl } = scene.plane;
  const { clock } = scene;
  const onNotice = (line: string) => void told.push(line);
  const server = await startServer({ databaseUrl, port: 0, fixture: changed, clock, onNotice });
  await server.stop();
  return told;
}

describe("a fixture", () => {
  const priced = (perEvent: number): typeof fixture => ({
    organization: fixture.organization,
    agents: [
      {
        agentId: "fixed",
        agent_external_id: "fixed",
        agent_name: "Fixed",
        indicators: [{ name: "message", ...credits(perEvent) }],
      },
    ],
  });
  const perEvent = async () => (await acme.indicators.of("fixed").list()).indicators[0]?.price.perEvent;

  it("sets prices, and changes them, while nobody else does; each change is audited", async () => {
    expect(await restart(priced(1))).toEqual([]);
    scene.clock.time += 1_000;
    expect(await restart(priced(2))).toEqual([]);
    expect(await perEvent()).toBe("2");
    expect(await scene.lastAudit()).toMatchObject({
      actor: "fixture",
      action: "price.set",
      before: { price: { perEvent: "1" } },
      after: { price: { perEvent: "2" } },
    });
    scene.clock.time += 1_000;
    await restart(priced(1));
    expect(await perEvent()).toBe("1");
  });

  it("never takes back what an administrator has set, also for later, and says so", async () => {
    scene.clock.time += 1_000;
    await acme.indicators.setPrice("fixed", "message", credits(9));
    scene.clock.time += 1_000;
    expect(await restart(priced(9))).toEqual([]);
    expect(await restart(priced(1))).toEqual([
      expect.stringMatching(
        /^fixture: the price of "message" of agent "fixed" stays as admin:test has set it from 2026-\S+ on$/,
      ),
    ]);
    expect(await perEvent()).toBe("9");
    const later = new Date(scene.clock.time + hour).toISOString();
    await acme.indicators.setPrice("fixed", "message", { ...credits(10), validFrom: later });
    await restart(priced(1));
    expect(await perEvent()).toBe("9");
    scene.clock.time += hour;
    expect(await perEvent()).toBe("10");
  });
});
