import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let call: Caller;

beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
  call = caller(plane);
});
afterAll(() => plane.stop());

describe("POST /api/v1/customers/create-or-get (4.3)", () => {
  const createOrGet = (body: unknown) => call("POST", "/api/v1/customers/create-or-get", { body });

  it("creates a customer, who has no wallets, and returns it from then on as it was created", async () => {
    const carol = {
      externalId: "carol",
      name: "Carol",
      email: "c@example.com",
      country: "NL",
      city: "Delft",
    };
    const created = await createOrGet(carol);
    expect(created.status).toBe(201);
    expect(created.json).toEqual(carol);
    const got = await createOrGet({ externalId: "carol", name: "Someone else" });
    expect(got.status).toBe(200);
    expect(got.json).toEqual(carol);
    expect(await plane.balance("carol")).toEqual({});
  });

  it("takes a customer of an ID and a name only, as the voice flow sends it", async () => {
    expect((await createOrGet({ externalId: "dave", name: "Dave" })).json).toEqual({
      externalId: "dave",
      name: "Dave",
      email: null,
      country: null,
      city: null,
    });
  });

  it("takes null for a field that is not known, as it answers it", async () => {
    const unknown = { email: null, country: null, city: null };
    const { status, json } = await createOrGet({ externalId: "nora", name: "Nora", ...unknown });
    expect(status).toBe(201);
    expect(json).toEqual({ externalId: "nora", name: "Nora", ...unknown });
  });

  it("creates one customer of 20 posts at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => createOrGet({ externalId: "erin", name: "Erin" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  });

  it.each([
    [{ externalId: "x" }, "/name: expected string, received undefined"],
    [{ name: "X" }, "/externalId: expected string, received undefined"],
    [
      { externalId: "x", name: "X", country: "nl" },
      '/country: expected two upper-case letters, received "nl"',
    ],
    [[], "/: expected object, received array"],
    ["text", "/: expected object, received string"],
    [null, "/: expected object, received null"],
  ])("answers 400 that names field, expected and received: %j", async (body, detail) => {
    const { status, json } = await createOrGet(body);
    expect(status).toBe(400);
    expect(json.detail).toContain(detail);
  });
});

describe("POST /api/v1/agents/ensure (4.5)", () => {
  const ensure = (body: unknown) => call("POST", "/api/v1/agents/ensure", { body });

  it("creates an agent, and returns the same one from then on", async () => {
    const body = {
      agent_name: "Line",
      agent_external_id: "line-1",
      agent_description: "Answers\nthe phone",
      agent_type: "voice",
    };
    const created = await ensure(body);
    expect(created.status).toBe(201);
    expect(created.json).toEqual({ ...body, agentId: expect.any(String) });
    const again = await ensure({ agent_name: "Other", agent_external_id: "line-1" });
    expect(again.status).toBe(200);
    expect(again.json).toEqual(created.json);
  });

  it("returns an agent of the fixture under the fixture's agentId", async () => {
    expect((await ensure({ agent_name: "Chat", agent_external_id: "chat-1" })).json.agentId).toBe("chat");
  });

  it("creates one agent of 20 posts at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ensure({ agent_name: "Twin", agent_external_id: "twin" })),
    );
    expect(new Set(answers.map(({ json }) => json.agentId)).size).toBe(1);
  });

  it("answers 400 that names the field", async () => {
    const { status, json } = await ensure({ agent_name: "Nameless" });
    expect(status).toBe(400);
    expect(json.detail).toBe("/agent_external_id: expected string, received undefined");
    expect(json.errors).toEqual([
      { pointer: "/agent_external_id", detail: "expected string, received undefined" },
    ]);
  });
});

describe("GET /api/v1/agents (4.5)", () => {
  const list = (query: string) => call("GET", `/api/v1/agents${query}`);

  it("pages through all agents, each on one page", async () => {
    for (let index = 0; index < 5; index++) {
      await call("POST", "/api/v1/agents/ensure", {
        body: { agent_name: `Agent ${index}`, agent_external_id: `paged-${index}` },
      });
    }
    const { total } = (await list("")).json;
    const seen: unknown[] = [];
    for (let page = 1; seen.length < Number(total); page++) {
      const { status, json } = await list(`?page=${page}&limit=2`);
      expect(status).toBe(200);
      expect(json).toMatchObject({ page, limit: 2, total });
      if (!Array.isArray(json.agents)) throw new TypeError("expected agents");
      expect(json.agents.length).toBeGreaterThan(0);
      seen.push(...json.agents.map(({ agentId }) => agentId));
    }
    expect(new Set(seen).size).toBe(total);
  });

  it("begins at page 1, of 20, and ends with an empty page", async () => {
    expect((await list("")).json).toMatchObject({ page: 1, limit: 20 });
    expect((await list("?page=900719925474")).json).toMatchObject({ agents: [] });
  });

  it.each(["?page=0", "?page=x", "?limit=0", "?limit=101", "?page=-1", "?page=1.5"])(
    "answers 400 to %s",
    async (query) => {
      const { status, json } = await list(query);
      expect(status).toBe(400);
      expect(json.detail).toMatch(/^(page|limit): .*received/);
    },
  );
});
