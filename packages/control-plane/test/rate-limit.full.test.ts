import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { administrator } from "./administrator.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";
import { openPeopleScene, type PeopleScene } from "./people-scene.ts";

const adminToken = "cga_a-token-for-these-tests";
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, adminToken, rateLimitPerSecond: 4, clock });
});
afterAll(() => plane.stop());

const statuses = async (count: number, apiKey = plane.apiKey) => {
  const call = caller({ ...plane, apiKey });
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await call("GET", "/api/v1/agents")).status);
  return found;
};

describe("the rate limit of an API key", () => {
  it("answers 429 with Retry-After beyond it, and fills up again as time goes by", async () => {
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
    const { headers, json } = await caller(plane)("GET", "/api/v1/agents");
    expect(headers.get("retry-after")).toBe("1");
    expect(json).toMatchObject({ status: 429, code: "rate_limited", title: "Too many requests" });
    clock.time += 250;
    expect(await statuses(2)).toEqual([200, 429]);
    clock.time -= 10_000;
    expect(await statuses(1)).toEqual([429]);
    clock.time += 250;
    expect(await statuses(2)).toEqual([200, 429]);
    clock.time += 60_000;
    expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
  });

  it("leaves other keys, the admin API and the health check alone", async () => {
    const admin = administrator(plane.baseUrl, adminToken);
    const path = `/organizations/${await admin.organizationId("Acme")}/api-keys`;
    const { apiKey } = (await admin.post(path, { name: "other" })).json;
    expect(await statuses(1, String(apiKey))).toEqual([200]);
    expect((await fetch(`${plane.baseUrl}/health`)).status).toBe(200);
  });

  it("counts requests that the key may not make", async () => {
    const admin = administrator(plane.baseUrl, adminToken);
    const path = `/organizations/${await admin.organizationId("Acme")}/api-keys`;
    const { apiKey } = (await admin.post(path, { name: "reader", scopes: ["read"] })).json;
    const call = caller({ ...plane, apiKey: String(apiKey) });
    for (const tried of ["/api/v2/usage", "/api/v1/orders"]) {
      clock.time += 60_000;
      const found: number[] = [];
      for (let index = 0; index < 5; index++) found.push((await call("POST", tried, { body: {} })).status);
      expect([tried, found]).toEqual([tried, [403, 403, 403, 403, 429]]);
    }
  });

  it("counts no requests that have no valid key", async () => {
    expect(await statuses(6, "cg_test_other")).toEqual(Array.from({ length: 6 }, () => 401));
  });
});

describe("the rate limit of a session, and of a token", () => {
  let scene: PeopleScene;
  beforeAll(async () => {
    scene = await openPeopleScene({ rateLimitPerSecond: 4 });
  });
  afterAll(() => scene.plane.stop());

  it.each(["/account", "/organizations", "/organizations/999", "/users", "/nowhere"])(
    "counts what is asked of no organisation, and what is refused: %s",
    async (path) => {
      const person = await scene.member(`${path.replaceAll("/", "-")}@example.com`, "read");
      const other = await scene.member(`other${path.replaceAll("/", "-")}@example.com`, "read");
      await person.get("/account");
      scene.clock.time += 60_000;
      const found: number[] = [];
      for (let index = 0; index < 5; index++) found.push((await person.get(path)).status);
      expect(new Set(found.slice(0, 4)).has(429)).toBe(false);
      expect(found[4]).toBe(429);
      expect((await other.get("/account")).status).toBe(200);
    },
  );
});
