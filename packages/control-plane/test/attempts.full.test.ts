import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAttempts } from "../src/http/attempts.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };

let database: TestDatabase;
let server: RunningServer;
beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    fixture: acme,
    clock,
    trustedProxies: 1,
    adminTokens: [{ name: "test", token: adminToken }],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(() => {
  // All attempts are forgotten.
  clock.time += 60_000;
});

const ask = async (apiKey: string, address: string) => {
  const call = caller({ baseUrl: server.url, apiKey });
  return call("GET", "/api/v1/agents", { headers: { "x-forwarded-for": address } });
};

/** As many attempts as an address may make at once. */
const exhaust = async (address: string, apiKey = (index: number) => `cg_wrong_${index}`) => {
  for (let index = 0; index < 50; index++) expect((await ask(apiKey(index), address)).status).toBe(401);
};

describe("requests without a valid key", () => {
  it.each([
    ["unknown keys", (index: number) => `cg_unknown_${index}`],
    ["one unknown key", () => "cg_always_the_same"],
    ["mistyped keys", () => `cgk_${"0".repeat(40)}`],
  ])("are answered 429 with Retry-After where there are too many: %s", async (_, apiKey) => {
    await exhaust("192.0.2.1", apiKey);
    const { status, headers, json } = await ask(apiKey(50), "192.0.2.1");
    expect({ status, code: json.code }).toEqual({ status: 429, code: "too_many_attempts" });
    expect(headers.get("retry-after")).toBe("1");
    clock.time += 100;
    expect((await ask(apiKey(51), "192.0.2.1")).status).toBe(401);
    expect((await ask(apiKey(52), "192.0.2.1")).status).toBe(429);
  });

  it("do not keep out a key of the same address that has been good, nor other addresses", async () => {
    expect((await ask("cg_test_local", "192.0.2.2")).status).toBe(200);
    await exhaust("192.0.2.2");
    // Longer than the key is remembered, so that it is looked up again.
    clock.time += 1_001;
    for (let index = 0; index < 11; index++) await ask(`cg_more_${index}`, "192.0.2.2");
    expect((await ask("cg_more", "192.0.2.2")).status).toBe(429);
    expect((await ask("cg_test_local", "192.0.2.2")).status).toBe(200);
    expect((await ask("cg_wrong", "192.0.2.3")).status).toBe(401);
  });

  it("count no request whose key is good", async () => {
    for (let index = 0; index < 60; index++) {
      clock.time += 1_001;
      expect((await ask("cg_test_local", "192.0.2.4")).status).toBe(200);
    }
  });

  it("are not those with a good key that come while it is looked up for the first time", async () => {
    const started = await startServer({ databaseUrl: database.databaseUrl, port: 0, clock });
    const call = caller({ baseUrl: started.url, apiKey: "cg_test_local" });
    const answers = await Promise.all(Array.from({ length: 100 }, () => call("GET", "/api/v1/agents")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await started.stop();
  });

  it("are counted for the admin API as well", async () => {
    const call = caller({ baseUrl: server.url, apiKey: "" });
    const admin = async (token: string) =>
      (await call("GET", "/admin/api/organizations", { headers: { authorization: `Bearer ${token}` } }))
        .status;
    for (let index = 0; index < 50; index++) expect(await admin(`a-wrong-token-${index}`)).toBe(401);
    expect(await admin("a-wrong-token")).toBe(429);
    expect(await admin(adminToken)).toBe(200);
  });
});

describe("createAttempts", () => {
  it("takes the addresses of one IPv6 network for one, and IPv4 addresses in IPv6 each for itself", () => {
    const attempts = createAttempts(clock);
    for (let index = 0; index < 50; index++) attempts.begin(`2001:db8:0:1::${index.toString(16)}`);
    expect(() => attempts.begin("2001:db8::1:1:1:1:1")).toThrow(expect.objectContaining({ status: 429 }));
    attempts.begin("2001:db8:0:2::1");
    for (let index = 0; index < 60; index++) attempts.begin(`::ffff:192.0.2.${index}`);
  });

  it("answers 503 when all addresses together make too many", () => {
    const attempts = createAttempts(clock);
    for (let index = 0; index < 1_000; index++) attempts.begin(`10.0.${index >> 8}.${index & 255}`);
    expect(() => attempts.begin("10.1.0.0")).toThrow(expect.objectContaining({ status: 503 }));
    attempts.forgive("10.0.0.0");
    attempts.begin("10.1.0.1");
  });
});
