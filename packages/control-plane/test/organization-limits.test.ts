import { randomUUID } from "node:crypto";
import type { LimitName } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { createUser, join } from "../src/people/users.ts";
import { mostParts } from "../src/voice/call.ts";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";
import { type Caller, caller, type Received } from "./caller.ts";

let scene: AdminScene;
let call: Caller;
let connection: ReturnType<typeof connect>;
beforeAll(async () => {
  scene = await openAdminScene();
  call = caller(scene.plane);
  connection = connect(scene.plane.databaseUrl);
});
afterAll(async () => {
  await connection.close();
  await scene.plane.stop();
});

const post = (path: string, body: unknown) => scene.admin.post(`${scene.path}${path}`, body);
const set = (limits: Readonly<Partial<Record<LimitName, number | null>>>) => post("/limits", limits);

async function limits(): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const { json } = await scene.admin.get(`${scene.path}/limits`);
  const all = json.limits as readonly Record<string, unknown>[];
  return new Map(all.map((limit) => [String(limit.name), limit]));
}

/** How many more the organisation is let have. */
async function leaveRoom(name: LimitName, more: number): Promise<number> {
  const most = Number((await limits()).get(name)?.used) + more;
  await set({ [name]: most });
  return most;
}

const price = { billing: "CREDITS", currency: "ai_credits", price: { perEvent: 1 } };
const order = (currencies: readonly string[], changes: object = {}) => ({
  customerExternalId: "bob",
  orderName: "Plan",
  startDate: "2026-01-01",
  lineItems: Array.from({ length: Math.ceil(currencies.length / 20) }, (_, item) => ({
    agentId: "chat",
    platformFee: { amount: 100, currency: "EUR" },
    creditBenefits: currencies
      .slice(item * 20, item * 20 + 20)
      .map((credit_currency_key) => ({ credit_currency_key, credits: 1 })),
  })),
  ...changes,
});

/** Orders of one customer wait for each other: on a busy machine for longer than a lock is waited for. */
async function insist(make: () => Promise<Received>): Promise<Received> {
  for (;;) {
    const received = await make();
    if (received.status !== 503) return received;
  }
}

/** What makes one more of each kind, and what the refusal is called. */
const ways: readonly (readonly [LimitName, string, string, (name: string) => Promise<Received>])[] = [
  ["apiKeys", "too_many_api_keys", "a key", (name) => post("/api-keys", { name })],
  [
    "webhooks",
    "too_many_webhooks",
    "an endpoint",
    () => post("/webhook-endpoints", { url: "http://127.0.0.1/" }),
  ],
  [
    "agents",
    "too_many_agents",
    "an agent",
    (name) => post("/agents", { agentExternalId: name, agentName: name }),
  ],
  [
    "agents",
    "too_many_agents",
    "an agent by the API",
    (name) => call("POST", "/api/v1/agents/ensure", { body: { agent_external_id: name, agent_name: name } }),
  ],
  [
    "currencies",
    "too_many_currencies",
    "a currency",
    (name) => post("/currencies", { creditCurrencyKey: name }),
  ],
  [
    "currencies",
    "too_many_currencies",
    "the currency of a price",
    (currency) => post(`/agents/chat/indicators`, { name: currency, ...price, currency }),
  ],
  [
    "currencies",
    "too_many_currencies",
    "the currency of an order",
    (name) => call("POST", "/api/v1/orders", { body: order([name]) }),
  ],
];

describe("what an organisation may have", () => {
  it.each(ways)("bounds %s, with %s, where %s would be one more", async (name, code, _what, make) => {
    const most = await leaveRoom(name, 1);
    const made = await Promise.all(Array.from({ length: 5 }, () => insist(() => make(randomUUID()))));
    const refused = made.filter(({ status }) => status !== 200 && status !== 201);
    // Also where they come at once.
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    for (const { json } of refused) {
      expect(json).toMatchObject({ code });
      expect(json.detail).toContain(`expected at most ${most} `);
      expect(json.detail).toContain(`(limit ${name})`);
    }
    expect((await limits()).get(name)).toMatchObject({ most, used: most, isOwn: true });
    await set({ [name]: null });
    expect([200, 201]).toContain((await make(randomUUID())).status);
  });

  it("counts keys that are valid: a rotation takes room for its overlap, and one that is revoked gives it back", async () => {
    const { keyId } = (await post("/api-keys", { name: "one" })).json;
    await leaveRoom("apiKeys", 0);
    const rotated = await post(`/api-keys/${keyId}/rotate`, {});
    expect(rotated.json).toMatchObject({ status: 422, code: "too_many_api_keys" });
    const { keyId: next } = (await post(`/api-keys/${keyId}/rotate`, { overlapSeconds: 0 })).json;
    expect((await post("/api-keys", { name: "two" })).status).toBe(422);
    await post(`/api-keys/${next}/revoke`, {});
    expect((await post("/api-keys", { name: "two" })).status).toBe(201);
    await set({ apiKeys: null });
  });

  it("bounds the indicators of an agent, and the versions of a price", async () => {
    const indicators = async () =>
      ((await scene.admin.get(`${scene.path}/agents/chat/indicators?limit=100`)).json.indicators as unknown[])
        .length;
    await set({ indicatorsOfAgent: (await indicators()) + 1, versionsOfPrice: 3 });
    const path = "/agents/chat/indicators";
    expect((await post(path, { name: "bounded", ...price })).status).toBe(201);
    const refused = (await post(path, { name: "another", ...price })).json;
    expect(refused).toMatchObject({ status: 422, code: "too_many_indicators" });
    const priceOf = (perEvent: number) => post(`${path}/bounded/prices`, { ...price, price: { perEvent } });
    expect([(await priceOf(2)).status, (await priceOf(3)).status]).toEqual([201, 201]);
    expect((await priceOf(4)).json).toMatchObject({
      code: "too_many_prices",
      detail: "expected at most 3 versions of the price (limit versionsOfPrice), received one more",
    });
    // What holds already is no new version.
    expect((await priceOf(3)).status).toBe(200);
    await set({ indicatorsOfAgent: null, versionsOfPrice: null });
  });

  it("bounds members, however they come", async () => {
    const { database } = connection;
    const orgId = BigInt(scene.path.split("/").at(-1) ?? "");
    await leaveRoom("members", 1);
    await set({ members: 1 });
    const enter = (email: string) =>
      database.transaction().execute(async (transaction) => {
        const at = new Date(scene.clock.now());
        const user = await createUser(
          transaction,
          { email, name: undefined, passwordHash: null, isOperator: false },
          at,
        );
        if (user === undefined) throw new Error("expected a new account");
        await join(transaction, { orgId, user, roles: ["read"] }, at);
        // Another role takes no room.
        await join(transaction, { orgId, user, roles: ["keys"] }, at);
      });
    await enter("first@example.com");
    await expect(enter("second@example.com")).rejects.toMatchObject({
      status: 422,
      code: "too_many_members",
    });
    await set({ members: null });
  });

  it("is told with its numbers, set by operators, and in the audit log", async () => {
    expect((await set({ webhooks: 30, agents: 5 })).status).toBe(200);
    const { webhooks, agents, requestsPerSecond } = Object.fromEntries(await limits());
    expect(webhooks).toMatchObject({ most: 30, isOwn: true });
    expect(agents).toMatchObject({ most: 5, isOwn: true, used: expect.any(Number) });
    expect(requestsPerSecond).toMatchObject({ most: 0, isOwn: false, used: null });
    await set({ agents: null });
    expect(await scene.lastAudit()).toMatchObject({
      action: "organization.limits",
      actor: "admin:test",
      subject: "Acme",
      before: { webhooks: 30, agents: 5 },
      after: { webhooks: 30 },
    });
    for (const wrong of [{ webhooks: 0 }, { webhooks: 1e9 }, { webhooks: 1.5 }, { keys: 1 }]) {
      expect((await set(wrong as never)).status).toBe(400);
    }
    await set({ webhooks: null });
  });
});

describe("what a request may do", () => {
  it("bounds the wallets of an order, and leaves nothing of one that is refused", async () => {
    const names = Array.from({ length: 101 }, (_, index) => `of_order_${index}`);
    const refused = await call("POST", "/api/v1/orders", { body: order(names) });
    expect(refused.json).toMatchObject({
      status: 422,
      code: "order_too_large",
      detail: "expected at most 100 credit currencies in an order (limit walletsOfOrder), received 101",
    });
    const { rows } = await connection.pool.query("select from wallets where currency like 'of_order_%'");
    expect(rows).toEqual([]);
    expect((await call("POST", "/api/v1/orders", { body: order(names.slice(0, 100)) })).status).toBe(201);
  });

  it("bounds the entries of a top-up", async () => {
    const topUps = (count: number) => ({
      customer_id: "alice",
      top_ups: Array.from({ length: count }, () => ({ credit_currency_key: "ai_credits", credits: 1 })),
    });
    expect((await post("/top-ups", topUps(501))).json).toMatchObject({
      status: 422,
      code: "too_many_top_ups",
      detail: "top_ups: expected at most 500 in a request, received 501",
    });
    expect((await post("/top-ups", topUps(500))).status).toBe(200);
  });

  it("bounds the parts of a call", async () => {
    const body = { sessionId: "long", agentId: "chat", customerId: "alice" };
    expect((await call("POST", "/api/v1/voice/session", { body })).status).toBe(201);
    await connection.pool.query(
      `insert into voice_usage (org_id, track_id, session_id, kind, characters, received_at)
       select org_id, gen_random_uuid(), session_id, 'tts', 1, opened_at
         from voice_sessions, generate_series(2, ${mostParts}) where session_id = 'long'`,
    );
    const track = () => call("POST", "/api/v1/voice/tts", { body: { sessionId: "long", characters: 1 } });
    expect((await track()).status).toBe(202);
    expect((await track()).json).toMatchObject({
      status: 422,
      code: "session_full",
      detail: `session: expected one of at most ${mostParts} parts, received another part of "long"`,
    });
  });
});
