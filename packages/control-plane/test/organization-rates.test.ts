import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Admin, administrator } from "./administrator.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };

let plane: TestControlPlane;
let admin: Admin;
let path: string;
/** Two keys of Acme, and one of another organisation. */
const keys: string[] = [];
let otherKey: string;

const newKey = async (organization: string) =>
  String((await admin.post(`${organization}/api-keys`, { name: "another" })).json.apiKey);

beforeAll(async () => {
  plane = await startControlPlane({
    fixture: acme,
    adminToken,
    clock,
    rateLimitPerSecond: 100,
    rates: { requestsPerSecond: 6, reportsPerSecond: 10 },
  });
  admin = administrator(plane.baseUrl, adminToken);
  path = `/organizations/${await admin.organizationId("Acme")}`;
  keys.push(plane.apiKey, await newKey(path));
  const other = (await admin.post("/organizations", { name: "Other" })).json;
  otherKey = await newKey(`/organizations/${other.organizationId}`);
});
afterAll(() => plane.stop());
beforeEach(() => {
  clock.time += 60_000;
});

const askWith = (apiKey = "") => caller({ ...plane, apiKey });
const statuses = async (count: number, ask: (index: number) => Promise<{ readonly status: number }>) => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await ask(index)).status);
  return found;
};
const list = (index: number) => askWith(keys[index % 2])("GET", "/api/v1/agents");
const report = (apiKey = keys[0]) => askWith(apiKey)("POST", "/api/v2/usage", { body: usageOf() });
const batch = (count: number, offset = 0) => {
  const reports = Array.from({ length: count }, (_, index) => ({
    key: `${clock.time}-${offset + index}`,
    ...(usageOf() as object),
  }));
  return askWith(keys[1])("POST", "/api/v2/usage/batch", { body: { reports } });
};

describe("the rates of an organisation", () => {
  it("hold for all of its keys together, and for no other organisation", async () => {
    expect(await statuses(7, list)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const { headers, json } = await list(1);
    expect(headers.get("retry-after")).toBe("1");
    expect(json).toMatchObject({ status: 429, code: "rate_limited" });
    expect(json.detail).toBe(
      "expected at most 6 requests per second of the organisation (limit requestsPerSecond), received more",
    );
    expect((await askWith(otherKey)("GET", "/api/v1/agents")).status).toBe(200);
    clock.time += 1_000;
    expect(await statuses(7, list)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });

  it("hold for reports, those of batches too: one that is let in is taken whole, and the next ones wait for it", async () => {
    const { status, json } = await batch(20);
    expect([status, (json.results as { status: number }[]).map((result) => result.status)]).toEqual([
      200,
      Array.from({ length: 20 }, () => 202),
    ]);
    for (const refused of [await report(), await batch(1, 20)]) {
      expect(refused.json).toMatchObject({
        status: 429,
        detail: expect.stringContaining("at most 10 reports of usage per second of the organisation"),
      });
    }
    // What is not reported goes on, and so do others: this one has no such customer.
    expect((await list(0)).status).toBe(200);
    expect((await report(otherKey)).status).toBe(404);
    clock.time += 1_200;
    expect(await statuses(3, () => report())).toEqual([202, 202, 429]);
  });

  it("leave administrators a part of their own, which is as large", async () => {
    expect((await statuses(7, list)).at(-1)).toBe(429);
    const ask = () => admin.get(`${path}/agents`);
    expect(await statuses(7, ask)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await ask()).json).toMatchObject({ code: "rate_limited" });
    // Of no organisation, it is an operator's.
    expect(await statuses(8, () => admin.get("/organizations"))).toEqual(
      Array.from({ length: 8 }, () => 200),
    );
  });

  it("are what an operator sets for the organisation, from the next request on", async () => {
    expect((await admin.post(`${path}/limits`, { requestsPerSecond: 8, reportsPerSecond: 2 })).status).toBe(
      200,
    );
    expect((await statuses(9, list)).filter((status) => status === 200)).toHaveLength(8);
    clock.time += 60_000;
    expect(await statuses(3, () => report())).toEqual([202, 202, 429]);
    await admin.post(`${path}/limits`, { requestsPerSecond: null, reportsPerSecond: null });
    clock.time += 60_000;
    expect((await statuses(9, list)).filter((status) => status === 200)).toHaveLength(6);
  });
});
