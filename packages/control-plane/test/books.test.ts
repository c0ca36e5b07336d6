import { createAdminClient, csvEndpoints, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { verify } from "../src/verification/wallets.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
let connection: Connection;
/** What the journal calls by their IDs, by names that a test can write. */
const names = new Map<string, string>();
const customer = "=cmd|' /C calc'!A0";
const day = 24 * 60 * 60 * 1_000;
const keyed = () => ({ idempotencyKey: crypto.randomUUID() });

/** An order of ten credits for a fee, by the name of its invoice. */
async function order(
  name: string,
  platformFee: { amount: number; currency: string } | undefined,
  more: { paid?: boolean; credits?: number } = {},
): Promise<string> {
  const { paid = false, credits = 10 } = more;
  const creditBenefits = [{ credit_currency_key: "ai_credits", credits }];
  const lineItems = [
    {
      agentId: "chat",
      ...(credits === 0 ? {} : { creditBenefits }),
      ...(platformFee === undefined ? {} : { platformFee }),
    },
  ];
  const request = { customerExternalId: customer, orderName: name, startDate: "2026-01-01", lineItems, paid };
  const { invoices } = await acme.orders.create(request, keyed());
  const invoiceId = invoices[0]?.invoiceId ?? "";
  names.set(invoiceId, name);
  return invoiceId;
}

/** Each thing happens on a day of its own. */
async function live(): Promise<void> {
  const reason = "=1+1";
  const tomorrow = () => {
    scene.clock.time += day;
  };
  await acme.customers.create({ externalId: customer, name: "@SUM(1)" });
  await acme.wallets.create(customer, {
    kind: "prepaid",
    creditCurrencyKey: "ai_credits",
    overageLimit: 5,
  });
  await acme.wallets.create(customer, {
    kind: "postpaid",
    creditCurrencyKey: "voice_credits",
    postpaidLimit: 0,
  });
  await acme.currencies.set({
    creditCurrencyKey: "voice_credits",
    name: "Voice",
    unitPrice: { amount: "50", currency: "EUR" },
  });
  const taxes = [
    { name: "GST", basisPoints: 500 },
    { name: "PST", basisPoints: 700 },
  ];
  await acme.issuers.set({ legalName: "Acme", addressLines: ["Main Street 1"], taxes });
  tomorrow();
  const first = await order("first", { amount: 11_200, currency: "EUR" });
  tomorrow();
  await acme.invoices.markPaid(first);
  tomorrow();
  const credits = [{ creditCurrencyKey: "ai_credits", credits: 4 }];
  names.set(
    (await acme.invoices.credit(first, { amount: 5_600, credits, reason }, keyed())).creditNoteId,
    "note",
  );
  tomorrow();
  const second = await order("second", { amount: 112, currency: "JPY" });
  tomorrow();
  await acme.invoices.void(second, { reason });
  tomorrow();
  await order("third", { amount: 1, currency: "KWD" }, { paid: true, credits: 0 });
  await order("free", undefined, { credits: 0 });
  tomorrow();
  const wallet = { customerId: customer, creditCurrencyKey: "ai_credits", reason };
  await acme.wallets.correct({ ...wallet, credits: -8.5 }, keyed());
  await acme.wallets.refund({ ...wallet, credits: 1 }, keyed());
  const top_ups = [{ credit_currency_key: "ai_credits", credits: 3 }];
  await acme.wallets.topUp({ customer_id: customer, top_ups }, keyed());
  tomorrow();
  const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
  const reports = { agentId: "chat", customerId: customer, rawUsage: {} };
  for (const indicator of ["message", "speech"]) {
    const { body } = await client.usage.report({ ...reports, indicator });
    names.set((body as { readonly id: string }).id, indicator);
    await scene.plane.settled();
  }
  tomorrow();
  await acme.closePeriods({ early: true });
  const { invoices } = await acme.invoices.list({ type: "period" });
  names.set(invoices[0]?.invoiceId ?? "", "period");
  tomorrow();
  await acme.invoices.void(invoices[0]?.invoiceId ?? "", { reason, usage: "rebilled" });
}

beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  connection = connect(scene.plane.databaseUrl);
  await live();
});
afterAll(async () => {
  expect((await verify(connection.database)).differences).toEqual([]);
  await connection.close();
  await scene.plane.stop();
});

type JournalFile = "moneyJournalCsv" | "creditsJournalCsv";

function ask(file: JournalFile, query: string): Promise<Response> {
  const path = csvEndpoints[file].path.replace("{organizationId}", acme.organizationId);
  const headers = { authorization: `Bearer ${adminToken}` };
  return fetch(`${scene.plane.baseUrl}${path}${query}`, { headers });
}

/** The rows of a journal: those of one organisation and customer, with names for IDs. */
async function journal(file: JournalFile, query = ""): Promise<readonly string[]> {
  const response = await ask(file, query);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/csv; charset=utf-8; header=present",
  ]);
  const text = (await response.text()).replaceAll(/[\da-f-]{36}/g, (id) => names.get(id) ?? "some id");
  const [head, ...rows] = text.split("\r\n").slice(0, -1);
  expect(head).toBe(
    '"date","entry","organizationId","account","customerId","debit","credit","currency","reference","text"',
  );
  return rows
    .filter((row) => row.includes(customer))
    .map((row) =>
      row
        .replace(`,"${acme.organizationId}"`, "")
        .replace(`"'${customer}",`, "")
        .replace("T00:00:00.000Z", "")
        .replaceAll('"', ""),
    );
}

describe("the journal of money", () => {
  it("posts invoices with their taxes, payments, voids and credit notes", async () => {
    expect(await journal("moneyJournalCsv")).toEqual([
      "2026-01-02,INV-1,receivables,112,,EUR,INV-1,invoice of an order",
      "2026-01-02,INV-1,revenue,,100,EUR,INV-1,invoice of an order",
      "2026-01-02,INV-1,tax:GST,,5,EUR,INV-1,invoice of an order",
      "2026-01-02,INV-1,tax:PST,,7,EUR,INV-1,invoice of an order",
      "2026-01-03,INV-1 paid,cash,112,,EUR,INV-1,payment",
      "2026-01-03,INV-1 paid,receivables,,112,EUR,INV-1,payment",
      "2026-01-04,CN-1,revenue,50,,EUR,INV-1,credit note: =1+1",
      "2026-01-04,CN-1,tax:GST,2.5,,EUR,INV-1,credit note: =1+1",
      "2026-01-04,CN-1,tax:PST,3.5,,EUR,INV-1,credit note: =1+1",
      "2026-01-04,CN-1,payables,,56,EUR,INV-1,credit note: =1+1",
      "2026-01-05,INV-2,receivables,112,,JPY,INV-2,invoice of an order",
      "2026-01-05,INV-2,revenue,,100,JPY,INV-2,invoice of an order",
      "2026-01-05,INV-2,tax:GST,,5,JPY,INV-2,invoice of an order",
      "2026-01-05,INV-2,tax:PST,,7,JPY,INV-2,invoice of an order",
      "2026-01-06,INV-2 void,revenue,100,,JPY,INV-2,void",
      "2026-01-06,INV-2 void,tax:GST,5,,JPY,INV-2,void",
      "2026-01-06,INV-2 void,tax:PST,7,,JPY,INV-2,void",
      "2026-01-06,INV-2 void,receivables,,112,JPY,INV-2,void",
      // Of a thousandth there is no tax.
      "2026-01-07,INV-3,receivables,0.001,,KWD,INV-3,invoice of an order",
      "2026-01-07,INV-3,revenue,,0.001,KWD,INV-3,invoice of an order",
      "2026-01-07,INV-3 paid,cash,0.001,,KWD,INV-3,payment",
      "2026-01-07,INV-3 paid,receivables,,0.001,KWD,INV-3,payment",
      // INV-4 is free: there is nothing to post.
      "2026-01-10,INV-5,receivables,1,,EUR,INV-5,invoice of a period",
      "2026-01-10,INV-5,revenue,,0.89,EUR,INV-5,invoice of a period",
      "2026-01-10,INV-5,tax:GST,,0.05,EUR,INV-5,invoice of a period",
      "2026-01-10,INV-5,tax:PST,,0.06,EUR,INV-5,invoice of a period",
      "2026-01-11,INV-5 void,revenue,0.89,,EUR,INV-5,void",
      "2026-01-11,INV-5 void,tax:GST,0.05,,EUR,INV-5,void",
      "2026-01-11,INV-5 void,tax:PST,0.06,,EUR,INV-5,void",
      "2026-01-11,INV-5 void,receivables,,1,EUR,INV-5,void",
    ]);
  });

  it("begins at from, ends before to, and refuses what is no time", async () => {
    const span = "?from=2026-01-04T00:00:00Z&to=2026-01-05T00:00:00Z";
    const rows = await journal("moneyJournalCsv", span);
    expect(rows.map((row) => row.split(",")[2])).toEqual(["revenue", "tax:GST", "tax:PST", "payables"]);
    await expect(acme.books.balance({ journal: "money", from: "yesterday" })).rejects.toThrow("an instant");
    // Books of nothing would be taken for books without entries.
    const reversed = { from: "2026-02-01T00:00:00Z", to: "2026-02-01T00:00:00+01:00" };
    await expect(acme.books.balance({ journal: "money", ...reversed })).rejects.toThrow(
      "expected an instant that is not before from",
    );
    for (const file of ["moneyJournalCsv", "creditsJournalCsv"] as const)
      expect((await ask(file, `?${new URLSearchParams(reversed)}`)).status).toBe(400);
    expect(
      await acme.books.balance({ journal: "money", from: reversed.to, to: reversed.from }),
    ).toMatchObject({
      journal: "money",
    });
  });
});

describe("the journal of credits", () => {
  it("posts the changes of wallets against what they are for", async () => {
    const rows = await journal("creditsJournalCsv");
    // Entries are numbered by their wallet.
    expect(rows.map((row) => row.replace(/^([^,]+),[^,]+ \d+,/, "$1,"))).toEqual([
      "2026-01-02,issued,10,,ai_credits,first,benefit",
      "2026-01-02,wallet:pending,,10,ai_credits,first,benefit",
      "2026-01-03,wallet:pending,10,,ai_credits,first,payment",
      "2026-01-03,wallet:available,,10,ai_credits,first,payment",
      "2026-01-04,wallet:available,4,,ai_credits,note,credit note",
      "2026-01-04,credited,,4,ai_credits,note,credit note",
      "2026-01-05,issued,10,,ai_credits,second,benefit",
      "2026-01-05,wallet:pending,,10,ai_credits,second,benefit",
      "2026-01-06,wallet:pending,10,,ai_credits,second,void",
      "2026-01-06,voided,,10,ai_credits,second,void",
      "2026-01-08,wallet:available,6,,ai_credits,,correction: =1+1",
      "2026-01-08,wallet:overage,2.5,,ai_credits,,correction: =1+1",
      "2026-01-08,corrected,,8.5,ai_credits,,correction: =1+1",
      "2026-01-08,refunded,1,,ai_credits,,refund: =1+1",
      "2026-01-08,wallet:overage,,1,ai_credits,,refund: =1+1",
      "2026-01-08,issued,3,,ai_credits,some id,top up",
      "2026-01-08,wallet:available,,1.5,ai_credits,some id,top up",
      "2026-01-08,wallet:overage,,1.5,ai_credits,some id,top up",
      "2026-01-09,wallet:available,1,,ai_credits,message,usage",
      "2026-01-09,consumed,,1,ai_credits,message,usage",
      "2026-01-09,wallet:postpaid,2,,voice_credits,speech,usage",
      "2026-01-09,consumed,,2,voice_credits,speech,usage",
      "2026-01-10,invoiced,2,,voice_credits,period,period",
      "2026-01-10,wallet:postpaid,,2,voice_credits,period,period",
      "2026-01-11,wallet:postpaid,2,,voice_credits,period,void",
      "2026-01-11,voided,,2,voice_credits,period,void",
    ]);
  });
});

describe("a trial balance", () => {
  const account = (name: string, currency: string, debit: number, credit: number) => ({
    account: name,
    currency,
    debit,
    credit,
    balance: debit - credit,
  });

  it("sums up the journal of money in minor units, and its balances sum to nothing", async () => {
    expect(await acme.books.balance({ journal: "money" })).toEqual({
      journal: "money",
      accounts: [
        account("cash", "EUR", 11_200, 0),
        account("cash", "KWD", 1, 0),
        account("payables", "EUR", 0, 5_600),
        account("receivables", "EUR", 11_300, 11_300),
        account("receivables", "JPY", 112, 112),
        account("receivables", "KWD", 1, 1),
        account("revenue", "EUR", 5_089, 10_089),
        account("revenue", "JPY", 100, 100),
        account("revenue", "KWD", 0, 1),
        account("tax:GST", "EUR", 255, 505),
        account("tax:GST", "JPY", 5, 5),
        account("tax:PST", "EUR", 356, 706),
        account("tax:PST", "JPY", 7, 7),
      ],
    });
    const span = { from: "2026-01-03T00:00:00Z", to: "2026-01-04T00:00:00Z" };
    expect((await acme.books.balance({ journal: "money", ...span })).accounts).toEqual([
      account("cash", "EUR", 11_200, 0),
      account("receivables", "EUR", 0, 11_200),
    ]);
  });

  it("comes to the wallets, at any time", async () => {
    const balances = async (to?: string) =>
      new Map(
        (await acme.books.balance({ journal: "credits", to })).accounts.map(
          ({ account, currency, balance }) => [`${account} ${currency}`, balance],
        ),
      );
    const now = await balances();
    // Alice has 100 since her wallet was opened.
    const { available, pending, overageUsed } = await acme.wallets.get(customer, "ai_credits");
    expect([available, pending, overageUsed]).toEqual([0.5, 0, 0]);
    expect(now.get("wallet:available ai_credits")).toBe(-100.5);
    expect(now.get("wallet:pending ai_credits")).toBe(0);
    expect(now.get("wallet:overage ai_credits")).toBe(0);
    expect(now.get("wallet:postpaid voice_credits")).toBe(2);
    const before = await balances("2026-01-06T00:00:00Z");
    expect(before.get("wallet:pending ai_credits")).toBe(-10);
    expect(before.get("wallet:available ai_credits")).toBe(-106);
  });
});
