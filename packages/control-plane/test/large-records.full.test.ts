import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";
import { caller } from "./caller.ts";

const mebibyte = 1024 * 1024;
const versions = 8;

let scene: AdminScene;
const path = () => `${scene.path}/agents/chat/indicators`;

/** About as large as a body may be. */
const modelPrices = Array.from({ length: 1_000 }, (_, index) => ({
  provider: "p".repeat(100),
  model: `${"m".repeat(80)}${index}`,
  price: { perEvent: 1 },
}));

const terms = (perEvent: number) => ({
  ...{ billing: "CREDITS", currency: "ai_credits", price: { perEvent } },
  modelPrices,
});

beforeAll(async () => {
  scene = await openAdminScene();
  for (let version = 1; version <= versions; version++) {
    scene.clock.time += 1_000;
    await scene.admin.post(`${path()}/message/prices`, terms(version));
    await scene.admin.post(path(), { name: `large ${version}`, ...terms(1) });
  }
});
afterAll(() => scene.plane.stop());

/** All records of a list, and how many bytes its largest page has. */
async function readAll(list: string, name: string) {
  const records: Record<string, unknown>[] = [];
  let largest = 0;
  for (let next: unknown = ""; next !== null; ) {
    const from = next === "" ? "" : `&cursor=${next}`;
    const page = await scene.admin.get(`${list}${list.includes("?") ? "&" : "?"}limit=100${from}`);
    expect(page.status).toBe(200);
    records.push(...(page.json[name] as Record<string, unknown>[]));
    largest = Math.max(largest, page.text.length);
    next = page.json.next;
  }
  return { records, largest };
}

describe("prices of a thousand models each", () => {
  it("fill pages of the audit log of less than a mebibyte, and its file to the last", async () => {
    const { records, largest } = await readAll("/audit?action=price.set", "records");
    expect(largest).toBeLessThan(mebibyte);
    const set = records.map(({ after }) => (after as { price: { perEvent: string } }).price.perEvent);
    expect(set).toEqual(["8", "7", "6", "5", "4", "3", "2", "1"]);
    const headers = { authorization: `Bearer ${adminToken}` };
    const file = await fetch(`${scene.plane.baseUrl}/admin/api/audit.csv?action=price.set`, { headers });
    expect((await file.text()).split("\r\n").slice(1, -1)).toHaveLength(versions);
  });

  it("fill pages of versions and of indicators likewise", async () => {
    const prices = await readAll(`${path()}/message/prices`, "prices");
    expect(prices.largest).toBeLessThan(mebibyte);
    expect(prices.records.map(({ version, inForce }) => [version, inForce])).toEqual(
      Array.from({ length: versions + 1 }, (_, index) => [versions + 1 - index, index === 0]),
    );
    const indicators = await readAll(path(), "indicators");
    expect(indicators.largest).toBeLessThan(mebibyte);
    expect(indicators.records).toHaveLength(6 + versions);
    expect(indicators.records.find(({ name }) => name === "message")).toMatchObject({
      ...{ version: versions + 1, inForce: true, price: { perEvent: String(versions) } },
    });
  });
});

describe("prices that are to come", () => {
  it("are twenty of an indicator at most; one for now is set all the same", async () => {
    const set = async (after: number) => {
      const validFrom = new Date(scene.clock.time + after).toISOString();
      const { status, json } = await scene.admin.post(`${path()}/gift/prices`, {
        ...{ billing: "CREDITS", currency: "ai_credits", price: { perEvent: after + 1 }, validFrom },
      });
      return status === 201 ? status : [status, json.code, json.detail];
    };
    for (let minute = 1; minute <= 20; minute++) expect(await set(minute * 60_000)).toBe(201);
    expect(await set(30 * 60_000)).toEqual([
      ...[422, "too_many_prices"],
      "expected at most 20 versions of the price that are to come, received one more",
    ]);
    expect(await set(0)).toBe(201);
    scene.clock.time += 60_000;
    expect(await set(30 * 60_000)).toBe(201);
  });
});

describe("prices that are set more than once for one instant", () => {
  it("hold as the last one says, for agents, costs and reports", async () => {
    const validFrom = new Date(scene.clock.time + 60_000).toISOString();
    for (const perEvent of [2, 7]) {
      const price = { billing: "CREDITS", currency: "ai_credits", price: { perEvent }, validFrom };
      await scene.admin.post(`${path()}/speech/prices`, price);
    }
    const priceOf = async () => {
      const call = caller(scene.plane);
      const { agents } = (await call("GET", "/api/v1/agents")).json as {
        agents: { indicators: { name: string; price: { perEvent: number } }[] }[];
      };
      const listed = agents[0]?.indicators.find(({ name }) => name === "speech");
      const cost = await scene.admin.get(`${path()}/speech/cost`);
      const report = { agentId: "chat", customerId: "alice", indicator: "speech", rawUsage: {} };
      const { credits } = (await call("POST", "/api/v2/usage", { body: report })).json;
      return [listed?.price.perEvent, cost.json.credits, credits].map(Number);
    };
    expect(await priceOf()).toEqual([2, 2, 2]);
    scene.clock.time += 60_000;
    // Terms are remembered for a second.
    await expect.poll(priceOf).toEqual([7, 7, 7]);
  });
});
