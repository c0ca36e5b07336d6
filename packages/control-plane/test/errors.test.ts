import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../src/index.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let call: Caller;

beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
  call = caller(plane);
});
afterAll(() => plane.stop());

describe("authentication (5)", () => {
  it.each([
    ["unknown", "cg_test_other"],
    ["short", "cg_shrt"],
    ["overlong", "x".repeat(5_000)],
    ["a generated one with a wrong checksum", `cgk_${"0".repeat(40)}`],
  ])("answers 401 to a key that is %s, and does not repeat it", async (_, apiKey) => {
    const { status, json, text } = await caller({ ...plane, apiKey })("GET", "/api/v1/agents");
    expect(status).toBe(401);
    expect(json).toMatchObject({ code: "unauthorized", status: 401 });
    expect(text).not.toContain(apiKey.slice(2));
  });

  it("answers 401 without a key, and to a key in the query", async () => {
    for (const query of ["", "?service-api-key=cg_test_local"]) {
      const response = await fetch(`${plane.baseUrl}/api/v1/agents${query}`);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("cg_test_local");
    }
  });

  it("comes before the body is read", async () => {
    const stranger = caller({ ...plane, apiKey: "cg_test_other" });
    expect((await stranger("POST", "/api/v2/usage", { text: "{" })).status).toBe(401);
  });
});

describe("errors (7, our choice)", () => {
  it("are problem+json with type, title, status, detail and code", async () => {
    const { headers, json } = await call("GET", "/api/v1/wallet/balance?customer_id=x");
    expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toEqual({
      type: "about:blank",
      title: "Not found",
      status: 404,
      detail: 'customer: expected one that exists, received "x"',
      code: "customer_unknown",
    });
  });

  it("answers 400 to malformed JSON", async () => {
    const { status, json } = await call("POST", "/api/v2/usage", { text: '{"agentId":' });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      code: "malformed_json",
      detail: expect.stringMatching(/^body: expected JSON/),
    });
  });

  it("answers 400 to no body at all", async () => {
    const { status, json } = await call("POST", "/api/v2/usage");
    expect(status).toBe(400);
    expect(json.detail).toBe("/: expected object, received undefined");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded"])("answers 415 to %s", async (type) => {
    const { status, json } = await call("POST", "/api/v2/usage", {
      text: "a=b",
      headers: { "content-type": type },
    });
    expect(status).toBe(415);
    expect(json.detail).toContain("expected application/json");
  });

  it("answers 415 to an encoding it does not know", async () => {
    const { status } = await call("POST", "/api/v2/usage", {
      text: "{}",
      headers: { "content-encoding": "x" },
    });
    expect(status).toBe(415);
  });

  it("answers 404 to an unknown route, 405 to a wrong method", async () => {
    expect((await call("GET", "/api/v1/nothing")).json).toMatchObject({ status: 404, code: "route_unknown" });
    expect((await call("GET", "/%")).status).toBe(404);
    const wrong = await call("GET", "/api/v2/usage");
    expect(wrong.json).toMatchObject({ status: 405, detail: "expected POST, received GET" });
    expect(wrong.headers.get("allow")).toBe("POST");
  });

  it("has a liveness and a readiness check that need no key", async () => {
    expect((await fetch(`${plane.baseUrl}/health`)).status).toBe(200);
    expect((await fetch(`${plane.baseUrl}/ready`)).status).toBe(200);
  });
});

describe("untrusted input", () => {
  it("is refused where it is too deep", async () => {
    const deep = `${"[".repeat(7_000)}${"]".repeat(7_000)}`;
    const text = JSON.stringify(usageOf({ rawUsage: { deep: "deep" } })).replace('"deep"}', `${deep}}`);
    const { status, json } = await call("POST", "/api/v2/usage", { text });
    expect(status).toBe(400);
    expect(json.detail).toBe("/: expected at most 64 levels, received more");
  });

  it("does not reach Object.prototype", async () => {
    const text = JSON.stringify(usageOf()).replace("{", '{"__proto__":{"polluted":true},');
    expect((await call("POST", "/api/v2/usage", { text })).status).toBe(202);
    expect("polluted" in {}).toBe(false);
  });
});

describe("organisations", () => {
  it("do not reach each other's customers and agents at any endpoint", async () => {
    const other = await startServer({
      databaseUrl: plane.databaseUrl,
      port: 0,
      fixture: { organization: { name: "Other", apiKey: "cg_test_other_org" } },
    });
    const stranger = caller({ baseUrl: other.url, apiKey: "cg_test_other_org" });
    const topUp = { customer_id: "alice", top_ups: [{ credit_currency_key: "ai_credits", credits: 1 }] };
    expect((await stranger("GET", "/api/v1/wallet/balance?customer_id=alice")).status).toBe(404);
    expect((await stranger("POST", "/api/v1/wallet/top-up", { body: topUp })).status).toBe(404);
    expect((await stranger("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(404);
    expect((await stranger("GET", "/api/v1/agents")).json).toMatchObject({ agents: [], total: 0 });
    const body = { externalId: "alice", name: "Another Alice" };
    expect((await stranger("POST", "/api/v1/customers/create-or-get", { body })).status).toBe(201);
    const agent = { agent_name: "Chat", agent_external_id: "chat-1" };
    expect((await stranger("POST", "/api/v1/agents/ensure", { body: agent })).json.agentId).not.toBe("chat");
    await other.stop();
  });

  it("have idempotency keys of their own", async () => {
    const other = await startServer({
      databaseUrl: plane.databaseUrl,
      port: 0,
      fixture: { ...acme, organization: { name: "Third", apiKey: "cg_test_third_org" } },
    });
    const third = caller({ baseUrl: other.url, apiKey: "cg_test_third_org" });
    const sending = { body: usageOf(), headers: { "idempotency-key": "shared" } };
    const first = await call("POST", "/api/v2/usage", sending);
    expect((await third("POST", "/api/v2/usage", sending)).json.id).not.toBe(first.json.id);
    await other.stop();
  });
});
