import { adminCustomer, createAdminClient, csvEndpoints, type OrganizationAdmin } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";
import { lockTable } from "./table-lock.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
let connection: Connection;
const formula = "=cmd|' /C calc'!A0";
const keyed = () => ({ idempotencyKey: crypto.randomUUID() });

beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  connection = connect(scene.plane.databaseUrl);
  await acme.customers.create({ externalId: formula, name: "@SUM(1)", city: "+1", email: "a@example.com" });
  await acme.wallets.create(formula, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  const price = { amount: 4900, currency: "EUR" };
  const autoTopUp = { below: 0.5, credits: 100, price, maxPerPeriod: 3 };
  await acme.wallets.setLimits("alice", "ai_credits", { autoTopUp });
  const lineItems = [{ agentId: "chat", platformFee: { amount: 100, currency: "EUR" } }];
  const order = { customerExternalId: formula, orderName: "-1+1", startDate: "2026-01-01", lineItems };
  const { invoices } = await acme.orders.create({ ...order, paid: true }, keyed());
  await acme.invoices.credit(invoices[0]?.invoiceId ?? "", { amount: 10, reason: " =1" }, keyed());
  const wallet = { customerId: formula, creditCurrencyKey: "ai_credits" };
  await acme.wallets.correct({ ...wallet, credits: -2.5, reason: "=1+1" }, keyed());
  // More than two parts of a file.
  await connection.pool.query(
    `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
     select org_id, 'alice', 'ai_credits', 100 + i, 'top_up', gen_random_uuid(), i, 0, 0, 0, now(), i, 0, 0, 0 from customers, generate_series(1, 1001) i
      where external_id = 'alice'`,
  );
});
afterAll(async () => {
  await connection.close();
  await scene.plane.stop();
});

const fetchFile = (name: keyof typeof csvEndpoints, query = "") => {
  const path = csvEndpoints[name].path.replace("{organizationId}", acme.organizationId);
  const headers = { authorization: `Bearer ${adminToken}` };
  return fetch(`${scene.plane.baseUrl}${path}${query}`, { headers });
};
const linesOf = async (name: keyof typeof csvEndpoints, query?: string) => {
  const response = await fetchFile(name, query);
  expect(response.status).toBe(200);
  return (await response.text()).split("\r\n").slice(0, -1);
};

const mine = `?customerId=${encodeURIComponent(formula)}`;
const files: readonly (readonly [keyof typeof csvEndpoints, string, string])[] = [
  ["customerCsv", "?search=a@example", `"'${formula}","'@SUM(1)","a@example.com",,"'+1","2026-01-01T`],
  ["walletCsv", mine, `"'${formula}","ai_credits","prepaid","exhausted",0,0,2.5,0,0,0,`],
  [
    "walletCsv",
    "?customerId=alice&creditCurrencyKey=ai_credits",
    `,"{""below"":0.5,""price"":{""amount"":4900,""currency"":""EUR""},""credits"":100,""maxPerPeriod"":3}"`,
  ],
  ["ledgerCsv", mine, `"'${formula}","ai_credits","correction",0,0,2.5,0,,,,,,"'=1+1"`],
  ["orderCsv", mine, `"'${formula}","'-1+1","2026-01-01","plan","active",,"2026-`],
  ["invoiceCsv", mine, `"order","paid",100,"EUR",,,,,"2026-01-01T00:00:00.000Z",,,10`],
  ["creditNoteCsv", mine, `,10,"EUR","[]","' =1"`],
  ["auditCsv", "?action=wallet.correction", `"admin:test","wallet.correction","{""reason"":""=1+1""`],
];

describe("lists as files", () => {
  it.each(files)("%s has what passes the filter, and no cell that is computed", async (name, query, text) => {
    const [head, ...lines] = await linesOf(name, query);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(text);
    expect(lines.join()).not.toMatch(/(^|,)"[=+\-@\t]/);
    const columns = head?.split(",") ?? [];
    expect(new Set(columns).size).toBe(columns.length);
  });

  it("have all records, however many parts that takes, in the order of the list", async () => {
    const [, ...lines] = await linesOf("ledgerCsv", "?customerId=alice&cause=top_up");
    const ids = lines.map((line) => Number(line.split(",", 1)[0]));
    expect(ids).toHaveLength(1001);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(1001);
  });

  it("are ten of an organisation at once: one who reads none of them leaves connections to others", async () => {
    const unlock = await lockTable(connection.pool, "ledger_entries");
    const asked = Array.from({ length: 11 }, () => fetchFile("ledgerCsv"));
    const first = await Promise.race(asked).finally(unlock);
    expect(await first.json()).toMatchObject({ status: 429, code: "too_many_exports" });
    const taken = (await Promise.all(asked)).filter(({ status }) => status === 200);
    expect(taken).toHaveLength(10);
    await Promise.all(taken.map((response) => response.text()));
    expect((await linesOf("ledgerCsv")).length).toBeGreaterThan(1001);
  });

  it("stand in the audit log, with who took which part of what", async () => {
    await fetchFile("usageCsv", "?customerId=alice").then((response) => response.text());
    const { json } = await scene.admin.get("/audit?action=export&limit=1");
    expect(json.records).toMatchObject([
      { actor: "admin:test", subject: { file: "usage.csv", customerId: "alice" } },
    ]);
  });

  it("of customers have each field of one, but its wallets", async () => {
    const [header = ""] = await linesOf("customerCsv");
    const fields = Object.keys(adminCustomer.shape).filter((name) => name !== "etag" && name !== "wallets");
    expect(header.replaceAll('"', "").split(",").sort()).toEqual(fields.sort());
  });

  it("leave no name that was searched for in the audit log", async () => {
    await fetchFile("customerCsv", "?search=Carol%20Jansen").then((response) => response.text());
    const { json } = await scene.admin.get("/audit?action=export&limit=1");
    expect(json.records).toMatchObject([{ subject: { file: "customers.csv", search: true } }]);
  });

  it("refuse what their lists refuse, and parts: each is the whole", async () => {
    for (const name of Object.keys(csvEndpoints) as (keyof typeof csvEndpoints)[]) {
      for (const query of ["?limit=1", "?cursor=x", "?colour=red"])
        expect([name, (await fetchFile(name, query)).status]).toEqual([name, 400]);
    }
    expect((await fetchFile("invoiceCsv", "?status=gone")).status).toBe(400);
  });
});
