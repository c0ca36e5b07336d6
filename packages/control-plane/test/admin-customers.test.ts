import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";
import { caller } from "./caller.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

const carol = {
  name: "Carol Jansen",
  email: "carol@example.com",
  country: "NL",
  city: "Delft",
};
/** What only administrators know of her. */
const billing = { addressLines: ["Oude Delft 1", "2611 BB"], taxId: "NL 001", locale: "nl-NL" };

/** A new customer of whom everything is known, with a wallet that something has happened to. */
async function newCarol(): Promise<string> {
  const { admin, plane, path } = scene;
  const id = await admin.newCustomer(plane, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  expect((await admin.post(`${path}/customers/${id}`, { ...carol, ...billing })).status).toBe(200);
  const topUp = { customer_id: id, top_ups: [{ credit_currency_key: "ai_credits", credits: 7 }] };
  await caller(plane)("POST", "/api/v1/wallet/top-up", { body: topUp });
  return id;
}

const one = (id: string) => `${scene.path}/customers/${id}`;

describe("/admin/api/organizations/{id}/customers", () => {
  const search = async (text: string) => {
    const { json } = await scene.admin.get(`${scene.path}/customers?search=${encodeURIComponent(text)}`);
    return (json.customers as { externalId: string }[]).map(({ externalId }) => externalId);
  };

  it("creates a customer, whose external ID no other has", async () => {
    const created = await scene.admin.post(`${scene.path}/customers`, {
      externalId: "dora",
      ...carol,
      ...billing,
    });
    expect([created.status, created.json]).toEqual([
      201,
      {
        externalId: "dora",
        ...carol,
        ...billing,
        createdAt: expect.any(String),
        etag: expect.any(String),
        erasedAt: null,
        wallets: [],
      },
    ]);
    expect(await scene.lastAudit()).toMatchObject({
      actor: "admin:test",
      action: "customer.create",
      subject: "dora",
      after: null,
    });
    const again = await scene.admin.post(`${scene.path}/customers`, { externalId: "dora", name: "Other" });
    expect([again.status, again.json.code]).toEqual([409, "customer_exists"]);
    expect((await scene.admin.get(one("dora"))).json).toEqual(created.json);
  });

  it("finds customers by how the words of their ID, name and email begin, whatever the case", async () => {
    const add = (externalId: string, name: string, email?: string) =>
      scene.admin.post(`${scene.path}/customers`, { externalId, name, email });
    await add("u-4711", "Søren Åberg", "soeren.aberg@firma.example");
    await add("u-4712", "O'Neil & Söhne GmbH");
    expect(await search("SØR")).toEqual(["u-4711"]);
    expect(await search("åberg")).toEqual(["u-4711"]);
    expect(await search("firma aberg")).toEqual(["u-4711"]);
    expect(await search("aberg soehne")).toEqual([]);
    expect(await search("o'neil")).toEqual(["u-4712"]);
    expect(await search("47")).toEqual(["u-4711", "u-4712"]);
    expect(await search("u-4712")).toEqual(["u-4712"]);
    for (const text of ["%", "_", "'", "\\", "' & 'x':*", "berg"])
      expect([text, await search(text)]).toEqual([text, []]);
  });
});

describe("a search for a word that thousands have", () => {
  it("goes from customer to customer, and finds the same", async () => {
    await scene.admin.query(
      scene.plane.databaseUrl,
      `insert into customers (org_id, external_id, name)
         select org_id, 'many-' || to_char(i, 'FM00000'), case when i % 2 = 0 then 'Even' else 'Odd' end
           from organizations, generate_series(1, 12000) i`,
    );
    const ids: string[] = [];
    let cursor = "";
    while (ids.length < 300) {
      const { json } = await scene.admin.get(`${scene.path}/customers?search=MANY%20even&limit=100${cursor}`);
      ids.push(...(json.customers as { externalId: string }[]).map(({ externalId }) => externalId));
      cursor = `&cursor=${json.next}`;
    }
    expect(ids).toEqual(
      Array.from({ length: 300 }, (_, at) => `many-${String(2 * at + 2).padStart(5, "0")}`),
    );
    const { json } = await scene.admin.get(`${scene.path}/customers?search=many-00007`);
    expect(json).toMatchObject({ customers: [{ externalId: "many-00007" }], next: null });
  });
});

describe("/admin/api/organizations/{id}/customers/{external_id}", () => {
  it("answers one customer, with wallets; 404 for one that does not exist", async () => {
    const id = await newCarol();
    expect((await scene.admin.get(one(id))).json).toEqual({
      externalId: id,
      ...carol,
      ...billing,
      createdAt: expect.any(String),
      etag: expect.any(String),
      erasedAt: null,
      wallets: [expect.objectContaining({ creditCurrencyKey: "ai_credits", available: 7 })],
    });
    for (const answer of [
      await scene.admin.get(one("nobody")),
      await scene.admin.post(one("nobody"), { name: "X" }),
      await scene.admin.post(`${one("nobody")}/erase`),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, "customer_unknown"]);
    }
  });

  it("changes what it is told, keeps the rest, and notes which fields, not what was in them", async () => {
    const id = await newCarol();
    const edited = await scene.admin.post(one(id), { email: "c@example.org", city: null });
    expect(edited.json).toMatchObject({ ...carol, ...billing, email: "c@example.org", city: null });
    const record = await scene.lastAudit();
    expect(record).toMatchObject({
      actor: "admin:test",
      action: "customer.edit",
      subject: id,
      before: null,
      after: { changed: ["email", "city"] },
    });
    const got = { externalId: id, name: "Someone else" };
    const { json } = await caller(scene.plane)("POST", "/api/v1/customers/create-or-get", { body: got });
    expect(json).toEqual({ ...carol, externalId: id, email: "c@example.org", city: null });
  });

  it.each([
    [{ country: "nl" }, "/country"],
    [{ locale: "not_a_tag" }, "/locale"],
    [{ name: null }, "/name"],
    [{ externalId: "other" }, "/"],
  ])("refuses what a customer cannot be: %j", async (body, pointer) => {
    const { status, json } = await scene.admin.post(one("alice"), body);
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ pointer })]]);
  });

  it("erases what is personal, once, everywhere in the database; the books and whom an invoice bills stay", async () => {
    const id = await newCarol();
    const { admin, path } = scene;
    const reason = "Carol moved to Delft";
    const once = () => ({ "idempotency-key": crypto.randomUUID() });
    const because = { customerId: id, creditCurrencyKey: "ai_credits", reason };
    const lineItems = [{ agentId: "chat", platformFee: { amount: 100, currency: "EUR" } }];
    const order = { customerExternalId: id, orderName: "Plan", startDate: "2026-01-01", lineItems };
    const corrected = await admin.post(`${path}/corrections`, { ...because, credits: 1 }, once());
    const granted = await admin.post(
      `${path}/grants`,
      { ...because, credits: 2, source: "promotion" },
      once(),
    );
    const ordered = await admin.post(`${path}/orders`, order, once());
    const cancelled = await admin.post(`${path}/orders/${ordered.json.orderId}/cancel`, { reason });
    const sessionId = `call-of-${id}`;
    const call = { sessionId, agentId: "chat", customerId: id };
    const opened = await caller(scene.plane)("POST", "/api/v1/voice/session", { body: call });
    const closing = { indicator: "message", reason };
    const closed = await admin.post(`${path}/voice-sessions/${sessionId}/close`, closing);
    const made = [corrected, granted, ordered, cancelled, opened, closed].map(({ status }) => status);
    expect(made).toEqual([200, 200, 201, 200, 201, 200]);
    scene.clock.time += 1_000;
    const erased = await scene.admin.post(`${one(id)}/erase`);
    const nothing = {
      name: "erased",
      email: null,
      country: null,
      city: null,
      addressLines: [],
      taxId: null,
      locale: null,
    };
    const erasedAt = new Date(scene.clock.time).toISOString();
    expect(erased.json).toMatchObject({ externalId: id, ...nothing, erasedAt, wallets: [{ available: 10 }] });
    expect(await scene.lastAudit()).toMatchObject({ action: "customer.erase", subject: id });
    scene.clock.time += 1_000;
    expect((await scene.admin.post(`${one(id)}/erase`)).json).toEqual(erased.json);

    const tables = (await scene.admin.query(
      scene.plane.databaseUrl,
      "select table_name from information_schema.columns where column_name = 'org_id' and table_schema = 'public'",
    )) as { table_name: string }[];
    for (const { table_name } of tables) {
      const rows = await scene.admin.query(
        scene.plane.databaseUrl,
        `select to_jsonb(t) - 'bill_to' as row from ${table_name} as t where to_jsonb(t)::text like '%${id}%'`,
      );
      expect(JSON.stringify(rows), table_name).not.toMatch(/Carol|example\.com|Delft/);
    }
    const reasons = `select count(*)::int from audit_log where subject->>'reason' like '%Carol%'`;
    expect(await scene.admin.query(scene.plane.databaseUrl, reasons)).toEqual([{ count: 0 }]);
    const ledger = await scene.admin.get(`${scene.path}/ledger?customerId=${id}`);
    expect(ledger.json.entries).toMatchObject([
      { cause: "grant", available: 2 },
      { cause: "correction", available: 1, reason: "erased" },
      { cause: "top_up", available: 7 },
    ]);
  });

  it("reads and lists each column of customers, and erases each that is personal", async () => {
    const id = await newCarol();
    const { admin, path, plane } = scene;
    const columns = (await admin.query(
      plane.databaseUrl,
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = 'customers'
          and column_name not in ('org_id', 'external_id', 'created_at', 'erased_at')`,
    )) as { name: string; type: string }[];
    const values = columns.map(({ name, type }) => `${name} = ${type === "ARRAY" ? "'{Carol}'" : "'Carol'"}`);
    await admin.query(plane.databaseUrl, `update customers set ${values} where external_id = '${id}'`);
    const told = (text: string) => text.match(/Carol/g)?.length ?? 0;
    const file = `${plane.baseUrl}/admin/api${path}/customers.csv?search=${id}`;
    const csv = await fetch(file, { headers: { authorization: `Bearer ${adminToken}` } });

    expect(told(JSON.stringify((await admin.get(one(id))).json))).toBe(columns.length);
    expect(told(await csv.text())).toBe(columns.length);
    await admin.post(`${one(id)}/erase`);
    const row = `select to_jsonb(customers) as row from customers where external_id = '${id}'`;
    const [left] = (await admin.query(plane.databaseUrl, row)) as { row: object }[];
    expect(left?.row).toMatchObject({ name: "erased" });
    expect(told(JSON.stringify(left))).toBe(0);
  });

  it("erases a reason that was written after an erasure when it is asked to again", async () => {
    const id = await newCarol();
    const { admin, path } = scene;
    const first = await admin.post(`${one(id)}/erase`);
    const because = { customerId: id, creditCurrencyKey: "ai_credits", reason: "Carol called" };
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await admin.post(`${path}/corrections`, { ...because, credits: 1 }, key)).status).toBe(200);
    expect((await admin.post(`${one(id)}/erase`)).json.erasedAt).toBe(first.json.erasedAt);
    const { json } = await admin.get(`${path}/ledger?customerId=${id}&cause=correction`);
    expect(json.entries).toMatchObject([{ reason: "erased" }]);
  });

  it("takes data of an erased customer again", async () => {
    const id = await newCarol();
    await scene.admin.post(`${one(id)}/erase`);
    expect((await scene.admin.post(one(id), { name: "Carol" })).json).toMatchObject({
      name: "Carol",
      email: null,
      erasedAt: null,
    });
  });
});
