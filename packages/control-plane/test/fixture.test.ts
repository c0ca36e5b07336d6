import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { type Fixture, parseFixture, type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

describe("parseFixture", () => {
  const organization = acme.organization;
  const price = (value: unknown) => ({
    organization,
    agents: [
      {
        agentId: "a",
        agent_external_id: "a",
        agent_name: "A",
        indicators: [{ name: "i", billing: "CREDITS", currency: "c", price: { perEvent: value } }],
      },
    ],
  });
  const wallet = (value: unknown) => ({
    organization,
    customers: [{ externalId: "c", name: "C", wallets: [value] }],
  });

  it.each<[string, unknown, string]>([
    ["no object", [], "fixture: the whole: expected object, received array"],
    ["no organisation", {}, "fixture: organization: expected object, received undefined"],
    ["a misspelt field", { organization, agent: [] }, "fixture: the whole: "],
    [
      "a short key",
      { organization: { name: "A", apiKey: "short" } },
      "organization.apiKey: expected 8 to 256",
    ],
    ["a negative price", price(-1), "agents.0.indicators.0.price.perEvent: expected credits, from 0"],
    ["a price that is no number", price("1,5"), 'with at most 15 decimals, received "1,5"'],
    [
      "CREDITS without a currency",
      {
        organization,
        agents: [
          {
            agentId: "a",
            agent_external_id: "a",
            agent_name: "A",
            indicators: [{ name: "i", billing: "CREDITS" }],
          },
        ],
      },
      "currency: expected a credit currency",
    ],
    ["an unknown kind", wallet({ kind: "credit", currency: "c" }), "customers.0.wallets.0.kind: "],
    [
      "too many decimals",
      wallet({ kind: "prepaid", currency: "c", available: 1e-7 }),
      "available: expected at most 6 decimals, received 1e-7",
    ],
    [
      "a field of the other kind",
      wallet({ kind: "postpaid", currency: "c", limit: 1, available: 1 }),
      "customers.0.wallets.0: ",
    ],
    [
      "a postpaid wallet without a word of its limit",
      wallet({ kind: "postpaid", currency: "c" }),
      "customers.0.wallets.0.limit: expected a number of credits, where 0 is no limit, received nothing",
    ],
    [
      "overage while credits are there",
      wallet({ kind: "prepaid", currency: "c", available: 1, overageUsed: 1 }),
      "overageUsed: expected 0",
    ],
  ])("refuses %s, and says where, expected and received", (_, input, message) => {
    expect(() => parseFixture(input)).toThrow(message);
  });

  const agentWith = (...indicators: readonly unknown[]) => ({
    agentId: "a",
    agent_external_id: "a",
    agent_name: "A",
    indicators,
  });
  const credits = { name: "i", billing: "CREDITS", currency: "c", price: { perEvent: 1 } };
  const ai = { kind: "prepaid", currency: "c" };
  const carol = { externalId: "c", name: "C" };

  it.each<[string, object, string]>([
    [
      "a billing mode that is CREDITS but for its letters",
      { agents: [agentWith({ ...credits, billing: "credits" })] },
      'agents.0.indicators.0.billing: expected "CREDITS" in capital letters, received "credits"',
    ],
    [
      "a billing mode that is CREDITS but for a space",
      { agents: [agentWith({ ...credits, billing: "CREDITS " })] },
      'agents.0.indicators.0.billing: expected "CREDITS" in capital letters, received "CREDITS "',
    ],
    [
      "CREDITS without a price",
      { agents: [agentWith({ ...credits, price: undefined })] },
      'agents.0.indicators.0.price: expected a rate, since billing is "CREDITS"; what is free says { "perEvent": 0 }, received nothing',
    ],
    [
      "CREDITS with a price that has no rate",
      { agents: [agentWith({ ...credits, price: {} })] },
      "agents.0.indicators.0.price: expected a rate",
    ],
    [
      "an agent twice",
      { agents: [agentWith(), { ...agentWith(), agent_external_id: "b" }] },
      'agents.1.agentId: expected "a" once',
    ],
    [
      "an external ID of two agents",
      { agents: [agentWith(), { ...agentWith(), agentId: "b" }] },
      'agents.1.agent_external_id: expected "a" once',
    ],
    [
      "an indicator twice",
      { agents: [agentWith(credits, { ...credits, price: { perEvent: 9 } })] },
      'agents.0.indicators.1.name: expected "i" once',
    ],
    ["a customer twice", { customers: [carol, carol] }, 'customers.1.externalId: expected "c" once'],
    [
      "two wallets in one currency, also of two kinds",
      { customers: [{ ...carol, wallets: [ai, { kind: "postpaid", currency: "c", limit: 1 }] }] },
      'customers.0.wallets.1.currency: expected "c" once',
    ],
  ])("refuses %s, since it would bill other than was meant", (_, input, message) => {
    expect(() => parseFixture({ organization, ...input })).toThrow(message);
  });

  it("takes other billing modes, whatever their names, and a price of 0 that is written out", () => {
    const free = { ...credits, name: "free", price: { perEvent: 0 } };
    const agents = [agentWith({ name: "seat", billing: "flat" }, free)];
    expect(parseFixture({ organization, agents })).toMatchObject({ agents });
  });

  it("does not repeat a key that is wrong", () => {
    expect(() => parseFixture({ organization: { name: "A", apiKey: "s3cret" } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s3cret") }),
    );
  });

  it("takes prices as decimal text, beyond what a float can hold", () => {
    expect(parseFixture(price("0.123456789012345"))).toMatchObject({ organization });
  });
});

describe("a fixture at the start", () => {
  let database: TestDatabase;
  const servers: RunningServer[] = [];
  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  });

  const start = async (fixture: Fixture): Promise<{ call: Caller; server: RunningServer }> => {
    const server = await startServer({
      databaseUrl: database.databaseUrl,
      port: 0,
      settlementDelayMs: 0,
      fixture,
    });
    servers.push(server);
    const apiKey = fixture.organization.apiKey ?? server.generatedApiKey ?? "";
    return { call: caller({ baseUrl: server.url, apiKey }), server };
  };
  const balance = async (call: Caller) =>
    (await call("GET", "/api/v1/wallet/balance?customer_id=alice")).text;

  it("changes nothing when it is loaded again, by several servers at once: wallets keep their balances", async () => {
    const { call, server } = await start(acme);
    await call("POST", "/api/v2/usage", { body: usageOf() });
    await server.settled();
    const before = await balance(call);
    expect(before).toContain('"available":98.934');
    const again = await Promise.all(Array.from({ length: 4 }, () => start(acme)));
    for (const { call } of again) expect(await balance(call)).toBe(before);
    expect((await call("GET", "/api/v1/agents")).json.total).toBe(1);
  });

  it("changes names and prices, and adds what is new", async () => {
    const [agent] = acme.agents ?? [];
    if (agent === undefined) throw new Error("Acme has an agent.");
    const { call } = await start({ ...acme, agents: [{ ...agent, agent_name: "Chat 2" }] });
    expect((await call("GET", "/api/v1/agents")).json).toMatchObject({ agents: [{ agent_name: "Chat 2" }] });
  });

  it("gives a new organisation a key if it names none, once", async () => {
    const globex: Fixture = { organization: { name: "Globex" } };
    const { call, server } = await start(globex);
    expect(server.generatedApiKey).toMatch(/^cgk_[0-9a-f]{40}$/);
    expect((await call("GET", "/api/v1/agents")).status).toBe(200);
    expect((await start(globex)).server.generatedApiKey).toBeUndefined();
  });

  it("keeps no key, but its hash", async () => {
    const { pool, close } = connect(database.databaseUrl);
    const { rows } = await pool.query("select * from api_keys, organizations");
    await close();
    expect(
      JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain("cg_test_local");
  });

  it("refuses the key of another organisation, and an agent whose ids disagree with what is stored", async () => {
    await expect(start({ organization: { name: "Thief", apiKey: "cg_test_local" } })).rejects.toMatchObject({
      code: "fixture_invalid",
      message: expect.stringMatching(
        /received one of another; .* start with another --data \(or DATABASE_URL\)$/,
      ),
    });
    const agent = { agentId: "other", agent_external_id: "chat-1", agent_name: "Chat" };
    await expect(start({ ...acme, agents: [agent] })).rejects.toMatchObject({
      code: "fixture_invalid",
      message: expect.stringContaining("another --data"),
    });
  });
});
