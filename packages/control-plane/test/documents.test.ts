import { createHash } from "node:crypto";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { verify } from "../src/verification/wallets.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
let connection: Connection;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  connection = connect(scene.plane.databaseUrl);
});
afterAll(async () => {
  expect((await verify(connection.database)).differences).toEqual([]);
  await connection.close();
  await scene.plane.stop();
});

const keyed = () => ({ idempotencyKey: crypto.randomUUID() });
const day = 24 * 60 * 60 * 1_000;

const issuer = {
  legalName: "Acme GmbH & Co. KG",
  addressLines: ["Invalidenstraße 117", "10115 Berlin", "Germany"],
  taxId: "DE 123456789",
  taxes: [{ name: "VAT", basisPoints: 1900 }],
  footer: "HRB 12345, Amtsgericht Charlottenburg\nIBAN DE02 1203 0000 0000 2020 51",
  paymentTerms: "Due within 14 days.",
};

/** Asks as a browser would. */
async function printed(path: string) {
  const headers = { authorization: `Bearer ${adminToken}` };
  const response = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}${path}/print`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function pageOf(path: string): Promise<string> {
  const { status, text } = await printed(path);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return text;
}

async function newCustomer(more: Record<string, unknown> = {}): Promise<string> {
  const externalId = crypto.randomUUID();
  await acme.customers.create({ externalId, name: "Customer", ...more });
  return externalId;
}

/** An order with one fee, and its invoice. */
async function newInvoice(
  amount: number,
  currency = "EUR",
  more: { customer?: string; paid?: boolean } = {},
) {
  const customerExternalId = more.customer ?? (await newCustomer());
  const lineItems = [{ agentId: "chat", platformFee: { amount, currency } }];
  const { invoices } = await acme.orders.create(
    { customerExternalId, orderName: "Plan", startDate: "2026-01-01", lineItems, paid: more.paid ?? false },
    keyed(),
  );
  return acme.invoices.get(invoices[0]?.invoiceId ?? "");
}

const textOf = (html: string) =>
  html
    .replace(/<style>[\s\S]*<\/style>/, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("an invoice on paper", () => {
  it("asks for an issuer, and once there is a first one prints what is from before with it, without tax", async () => {
    const { invoiceId, taxAmount, taxes } = await newInvoice(4900);
    expect([taxAmount, taxes]).toEqual([null, null]);
    const refused = await printed(`/invoices/${invoiceId}`);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([409, "issuer_missing"]);
    expect(await acme.issuers.set(issuer)).toMatchObject({ version: 1, inForce: true, timeZone: "UTC" });
    expect(await scene.lastAudit()).toMatchObject({ action: "issuer.set", subject: { version: 1 } });
    const text = textOf(await pageOf(`/invoices/${invoiceId}`));
    expect(text).toContain("Acme GmbH &amp; Co. KG");
    expect(text).toContain("Total EUR 49.00");
    expect(text).not.toContain("VAT");
  });

  it("is one page that runs nothing and loads nothing, and whose style is the one that its policy names", async () => {
    const { invoiceId, number } = await newInvoice(4900);
    const { headers, text } = await printed(`/invoices/${invoiceId}`);
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-disposition")).toBe(`inline; filename="${number}.html"`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(text).not.toMatch(/<script|<link|<img|style=|https?:|url\(|@import/i);
  });

  it("escapes whatever came from outside", async () => {
    const attack = `<script>alert("1")</script>'&`;
    const { externalId } = await acme.customers.create({
      externalId: attack,
      name: attack,
      addressLines: [attack],
      city: `${attack} 2`,
      taxId: attack,
    });
    await acme.agents.create({ agentId: attack, agentExternalId: attack, agentName: attack });
    const lineItems = [
      {
        agentId: attack,
        platformFee: { amount: 100, currency: "EUR" },
        creditBenefits: [{ credit_currency_key: attack, credits: 1 }],
      },
    ];
    const { invoices } = await acme.orders.create(
      { customerExternalId: externalId, orderName: attack, startDate: "2026-01-01", lineItems },
      keyed(),
    );
    const text = await pageOf(`/invoices/${invoices[0]?.invoiceId}`);
    expect(text).not.toContain("<script");
    expect(text.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&#39;&amp;/g)).toHaveLength(8);
  });

  it("say how often credits recur, and how long they last", async () => {
    const { externalId } = await acme.customers.create({ externalId: "recurring", name: "Recurring" });
    await acme.agents.create({ agentId: "writer", agentExternalId: "writer", agentName: "Writer" });
    const creditBenefits = [
      { credit_currency_key: "monthly_credits", credits: 500, every: "month" as const },
      { credit_currency_key: "daily_credits", credits: 5, expiresInDays: 30 },
    ];
    const platformFee = { amount: 100, currency: "EUR" };
    const lineItems = [{ agentId: "writer", platformFee, creditBenefits }];
    const { invoices } = await acme.orders.create(
      { customerExternalId: externalId, orderName: "Plan", startDate: "2026-01-01", lineItems },
      keyed(),
    );
    expect(await pageOf(`/invoices/${invoices[0]?.invoiceId}`)).toContain(
      "includes 5 daily_credits for 30 days, 500 monthly_credits each month",
    );
  });

  it.each([
    [4900, "EUR", "EUR 49.00", "Net 41.18 VAT 19 % 7.82"],
    [1, "EUR", "EUR 0.01", "Net 0.01 VAT 19 % 0.00"],
    [0, "EUR", "EUR 0.00", "Net 0.00 VAT 19 % 0.00"],
    [123456789, "JPY", "JPY 123,456,789", "Net 103,745,201 VAT 19 % 19,711,588"],
    [123456789, "KWD", "KWD 123,456.789", "Net 103,745.201 VAT 19 % 19,711.588"],
    [123456789, "CLF", "CLF 12,345.6789", "Net 10,374.5201 VAT 19 % 1,971.1588"],
  ])("writes %i minor units of %s as %s, and the tax in it", async (amount, currency, total, tax) => {
    const { invoiceId } = await newInvoice(amount, currency);
    expect(textOf(await pageOf(`/invoices/${invoiceId}`))).toContain(`${tax} Total ${total}`);
  });

  it("stays as it was issued, whatever becomes of its issuer, its customer and its agent", async () => {
    const customer = await newCustomer({
      name: "Beta B.V.",
      addressLines: ["Keizersgracht 1", "1015 CJ"],
      city: "Amsterdam",
      country: "NL",
      taxId: "NL001",
    });
    const { invoiceId, number } = await newInvoice(11900, "EUR", { customer });
    const before = await pageOf(`/invoices/${invoiceId}`);
    for (const text of ["Beta B.V.", "Keizersgracht 1", "Amsterdam", "Netherlands", "NL001"])
      expect(before).toContain(text);
    expect(textOf(before)).toContain("Net 100.00 VAT 19 % 19.00 Total EUR 119.00");
    expect(textOf(before)).toContain("Due within 14 days.");

    scene.clock.time += day;
    await acme.issuers.set({ ...issuer, legalName: "Acme SE", taxes: [{ name: "VAT", basisPoints: 1600 }] });
    await acme.agents.edit("chat", { agentName: "Talk" });
    await acme.customers.erase(customer);
    expect(await acme.customers.get(customer)).toMatchObject({
      name: "erased",
      addressLines: [],
      taxId: null,
    });
    expect(await pageOf(`/invoices/${invoiceId}`)).toBe(before);
    expect(await acme.invoices.get(invoiceId)).toMatchObject({
      number,
      taxAmount: 1900,
      taxes: [{ name: "VAT", basisPoints: 1900, amount: 1900 }],
    });
    const next = await pageOf(`/invoices/${(await newInvoice(11600)).invoiceId}`);
    expect(next).toContain("Acme SE");
    expect(textOf(next)).toContain("Talk 1 116.00");
    expect(textOf(next)).toContain("Net 100.00 VAT 16 % 16.00 Total EUR 116.00");
    await acme.issuers.set(issuer);
    await acme.agents.edit("chat", { agentName: "Chat" });
  });

  it("cannot be changed in the database, nor taken away", async () => {
    const { invoiceId } = await newInvoice(100);
    for (const change of [
      "amount = 1",
      "taxes = '[]', tax_amount = 0",
      "bill_to = '{}'",
      "issuer_version = 1",
    ]) {
      const statement = `update invoices set ${change} where invoice_id = '${invoiceId}'`;
      await expect(connection.pool.query(statement)).rejects.toThrow("append-only");
    }
    const statement = `delete from invoices where invoice_id = '${invoiceId}'`;
    await expect(connection.pool.query(statement)).rejects.toThrow("append-only");
  });

  it("says that it is paid, and by what it is credited; one that is void is stamped", async () => {
    const paid = await newInvoice(4900, "EUR", { paid: true });
    const note = await acme.invoices.credit(paid.invoiceId, { amount: 1000, reason: "late" }, keyed());
    const text = textOf(await pageOf(`/invoices/${paid.invoiceId}`));
    expect(text).toContain("Paid on 2 January 2026");
    expect(text).toContain(`Credited by ${note.number} on 2 January 2026: EUR 10.00`);
    expect(text).not.toContain("Due within");
    const open = await newInvoice(4900);
    expect(await pageOf(`/invoices/${open.invoiceId}`)).not.toContain('stamp">');
    await acme.invoices.void(open.invoiceId, { reason: "a mistake" });
    const page = await pageOf(`/invoices/${open.invoiceId}`);
    expect(page).toContain('<p class="stamp">Void</p>');
    expect(textOf(page)).toContain("Voided on 2 January 2026");
  });

  it("of a period has a line for each price, and its lines sum up to its total", async () => {
    const customer = await newCustomer();
    await acme.wallets.create(customer, {
      kind: "postpaid",
      creditCurrencyKey: "voice_credits",
      postpaidLimit: 0,
    });
    const use = (credits: number) =>
      acme.wallets.correct(
        { customerId: customer, creditCurrencyKey: "voice_credits", credits: -credits, reason: "r" },
        keyed(),
      );
    await acme.currencies.set({
      creditCurrencyKey: "voice_credits",
      name: "Voice credits",
      unitPrice: { amount: "0.25", currency: "EUR" },
    });
    scene.clock.time += day;
    await use(1234.5);
    scene.clock.time += day;
    await acme.currencies.set({
      creditCurrencyKey: "voice_credits",
      unitPrice: { amount: "1.5", currency: "EUR" },
    });
    scene.clock.time += day;
    await use(3);
    scene.clock.time = Date.UTC(2026, 1, 1, 0, 1);
    await acme.closePeriods();
    const { invoices } = await acme.invoices.list({ customerId: customer });
    // 308.625 and 4.5 minor units, rounded up once.
    expect(invoices).toMatchObject([{ amount: 314, credits: 1237.5 }]);
    const text = textOf(await pageOf(`/invoices/${invoices[0]?.invoiceId}`));
    expect(text).toContain("Use of Voice credits");
    expect(text).toContain("1,234.5 0.0025 3.09");
    expect(text).toContain("3 0.015 0.05");
    expect(text).toContain("Total EUR 3.14");
    expect(text).toContain("to 31 January 2026");
  });
});

describe("a credit note on paper", () => {
  it("names its invoice and its customer, and together all notes credit the invoice's tax to the last cent", async () => {
    await acme.issuers.set({
      ...issuer,
      taxes: [
        { name: "GST", basisPoints: 500 },
        { name: "QST", basisPoints: 998 },
      ],
    });
    const customer = await newCustomer({ name: "Beta B.V." });
    const invoice = await newInvoice(10_001, "EUR", { customer, paid: true });
    expect(invoice.taxes?.map(({ amount }) => amount)).toEqual([435, 868]);
    await acme.customers.erase(customer);
    const notes = [];
    for (const amount of [1, 3333, 3334, 3333])
      notes.push(await acme.invoices.credit(invoice.invoiceId, { amount, reason: "r" }, keyed()));
    for (const [index, tax] of (invoice.taxes ?? []).entries()) {
      const credited = notes.reduce((sum, { taxes }) => sum + (taxes?.[index]?.amount ?? 0), 0);
      expect(credited).toBe(tax.amount);
    }
    const [, second] = notes;
    const text = textOf(await pageOf(`/credit-notes/${second?.creditNoteId}`));
    expect(text).toContain(`Credit note ${second?.number}`);
    expect(text).toContain(`${invoice.number} of 1 February 2026`);
    expect(text).toContain("Beta B.V.");
    expect(text).toContain("Credited EUR 33.33");
    expect(text).toMatch(/Net 28\.99 GST 5 % 1\.45 QST 9\.98 % 2\.89/);
  });

  it("is none where there is none", async () => {
    for (const path of ["/invoices", "/credit-notes"]) {
      for (const id of ["none", crypto.randomUUID()]) {
        const { status, text } = await printed(`${path}/${id}`);
        expect([status, JSON.parse(text).code]).toEqual([
          404,
          path === "/invoices" ? "invoice_unknown" : "credit_note_unknown",
        ]);
      }
    }
  });
});

describe("the issuers of an organisation", () => {
  it("are versions that hold from an instant on, the last to hold first; what holds already is no new one", async () => {
    const [newest] = (await acme.issuers.list()).issuers;
    const version = newest?.version ?? 0;
    const later = new Date(scene.clock.time + day).toISOString();
    const next = { ...issuer, legalName: "Acme Next SE" };
    expect(await acme.issuers.set({ ...next, validFrom: later })).toMatchObject({
      version: version + 1,
      inForce: false,
      validFrom: later,
    });
    expect(await acme.issuers.set({ ...next, validFrom: later })).toMatchObject({ version: version + 1 });
    const { issuers } = await acme.issuers.list({ limit: 2 });
    expect(issuers.map(({ version: of, inForce }) => [of, inForce])).toEqual([
      [version + 1, false],
      [version, true],
    ]);
    scene.clock.time += day;
    expect((await acme.issuers.list({ limit: 1 })).issuers).toMatchObject([
      { version: version + 1, inForce: true },
    ]);
  });

  it.each([
    [{ validFrom: "2025-12-31T00:00:00Z" }, 422, "valid_from_past"],
    [{ timeZone: "Moon/Base" }, 400, "invalid_request"],
    [{ addressLines: [] }, 400, "invalid_request"],
    [{ taxes: [{ name: "VAT", basisPoints: 0.5 }] }, 400, "invalid_request"],
    [{ taxes: [issuer.taxes[0], issuer.taxes[0]] }, 400, "invalid_request"],
  ])("are refused where they are wrong: %j", async (wrong, status, code) => {
    const response = await scene.admin.post(`${scene.path}/issuers`, { ...issuer, ...wrong });
    expect([response.status, response.json.code]).toEqual([status, code]);
  });
});
