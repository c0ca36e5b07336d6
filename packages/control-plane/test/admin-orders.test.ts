import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { verify } from "../src/verification/wallets.ts";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";
import type { Received } from "./caller.ts";
import { reported } from "./usage-rows.ts";

let scene: AdminScene;
let connection: Connection;
beforeAll(async () => {
  scene = await openAdminScene();
  connection = connect(scene.plane.databaseUrl);
});
afterAll(async () => {
  // Whatever has happened before, the books agree.
  expect((await verify(connection.database)).differences).toEqual([]);
  await connection.close();
  await scene.plane.stop();
});

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly invoices: readonly { readonly invoiceId: string; readonly status: string }[];
}

const post = (path: string, body: unknown = {}, headers?: Record<string, string>) =>
  scene.admin.post(`${scene.path}${path}`, body, headers);
const get = async (path: string) => (await scene.admin.get(`${scene.path}${path}`)).json;
const customer = () => scene.admin.newCustomer(scene.plane);

/** Orders credits for a fee of 49. */
async function order(customerExternalId: string, more: Record<string, unknown> = {}, credits = 10) {
  const creditBenefits = [{ credit_currency_key: "ai_credits", credits }];
  const lineItems = [{ agentId: "chat", platformFee: { amount: 4900, currency: "EUR" }, creditBenefits }];
  const body = { customerExternalId, orderName: "Plan", startDate: "2026-01-01", lineItems, ...more };
  const { status, json } = await post("/orders", body);
  expect(status).toBe(201);
  const made = json as unknown as Order;
  return { ...made, invoiceId: made.invoices[0]?.invoiceId ?? "" };
}

const reason = "a mistake";
const codeOf = ({ status, json }: Received) => [status, json.code];

describe("orders by an administrator", () => {
  it("are to be paid, or paid at once, and made once for each key", async () => {
    const external = await customer();
    expect(await order(external)).toMatchObject({ status: "pending", invoices: [{ status: "open" }] });
    expect(await scene.wallet(external)).toMatchObject({ available: 0, pending: 10 });
    expect(await scene.lastAudit()).toMatchObject({ actor: "admin:test", action: "order.create" });
    expect(await order(external, { paid: true })).toMatchObject({
      status: "active",
      invoices: [{ status: "paid" }],
    });
    expect(await scene.wallet(external)).toMatchObject({ available: 10, pending: 10 });
    expect(await scene.lastAudit()).toMatchObject({ action: "invoice.mark_paid" });

    const body = {
      customerExternalId: external,
      orderName: "Once",
      startDate: "2026-01-01",
      lineItems: [{ agentId: "chat" }],
      paid: true,
    };
    const key = { "idempotency-key": "order-once" };
    const [first, second] = [await post("/orders", body, key), await post("/orders", body, key)];
    expect(second.text).toBe(first.text);
    expect(codeOf(await post("/orders", { ...body, paid: false }, key))).toEqual([
      422,
      "idempotency_key_reused",
    ]);
    expect(codeOf(await post("/orders", { ...body, customerExternalId: "nobody" }))).toEqual([
      404,
      "customer_unknown",
    ]);
  });

  it("are refused with a field that is misspelt, of the order or of a line item: a fee would be left out", async () => {
    const body = {
      customerExternalId: await customer(),
      orderName: "Plan",
      startDate: "2026-01-01",
      lineItems: [{ agentId: "chat" }],
    };
    const platform_fee = { amount: 4900, currency: "EUR" };
    for (const misspelt of [{ payed: true }, { lineItems: [{ agentId: "chat", platform_fee }] }]) {
      expect(codeOf(await post("/orders", { ...body, ...misspelt }))).toEqual([400, "invalid_request"]);
    }
    expect((await post("/orders", body)).status).toBe(201);
  });

  it("are listed by customer, state, kind and time, in parts, and read with all they are made of", async () => {
    const external = await customer();
    const waiting = await order(external);
    scene.clock.time += 1_000;
    const from = new Date(scene.clock.time).toISOString();
    const active = await order(external, { paid: true });
    const replacement = await order(external);
    const listed = async (query: string) => {
      const { orders, next } = await get(`/orders?customerId=${external}${query}`);
      return { ids: (orders as Order[]).map(({ orderId }) => orderId), next };
    };
    const all = new Set([waiting.orderId, active.orderId, replacement.orderId]);
    expect(new Set((await listed("")).ids)).toEqual(all);
    expect((await listed("&status=active")).ids).toEqual([active.orderId]);
    expect((await listed("&type=replacement")).ids).toEqual([replacement.orderId]);
    expect((await listed(`&to=${from}`)).ids).toEqual([waiting.orderId]);
    const first = await listed("&limit=2");
    const second = await listed(`&limit=2&cursor=${first.next}`);
    expect(new Set([...first.ids, ...second.ids])).toEqual(all);
    expect(second.next).toBeNull();
    expect(await get(`/orders/${active.orderId}`)).toMatchObject({
      orderId: active.orderId,
      lineItems: [{ agentId: "chat", creditBenefits: [{ credit_currency_key: "ai_credits", credits: 10 }] }],
      invoices: [{ invoiceId: active.invoiceId, status: "paid", creditedAmount: 0 }],
    });
    expect((await get("/orders/none")).code).toBe("order_unknown");
    expect((await scene.admin.get(`${scene.path}/orders?state=active`)).status).toBe(400);
  });

  it("are cancelled while they wait: their credits and their invoice are gone, and a payment is refused", async () => {
    const external = await customer();
    const { orderId, invoiceId } = await order(external);
    const cancelled = await post(`/orders/${orderId}/cancel`, { reason });
    expect(cancelled).toMatchObject({
      status: 200,
      json: { status: "cancelled", cancelledAt: expect.any(String), invoices: [{ status: "void" }] },
    });
    expect(await scene.wallet(external)).toMatchObject({ available: 0, pending: 0 });
    expect(await scene.lastAudit()).toMatchObject({
      action: "order.cancel",
      subject: { orderId, invoiceId, reason },
      before: { status: "pending" },
      after: { status: "cancelled" },
    });
    expect((await post(`/orders/${orderId}/cancel`, { reason })).text).toBe(cancelled.text);
    expect(codeOf(await post(`/invoices/${invoiceId}/mark-paid`))).toEqual([409, "invoice_void"]);
    const active = await order(external, { paid: true });
    expect(codeOf(await post(`/orders/${active.orderId}/cancel`, { reason }))).toEqual([
      409,
      "order_not_pending",
    ]);
    expect((await post(`/orders/${active.orderId}/cancel`)).status).toBe(400);
  });

  it("are paid or cancelled, never both, whoever comes first", async () => {
    const external = await customer();
    for (let round = 0; round < 5; round++) {
      const { orderId, invoiceId } = await order(external);
      const answers = await Promise.all([
        post(`/invoices/${invoiceId}/mark-paid`),
        post(`/orders/${orderId}/cancel`, { reason }),
        post(`/invoices/${invoiceId}/void`, { reason }),
      ]);
      const [paid, cancelled, voided] = answers.map(({ status }) => status);
      expect([cancelled, voided]).toEqual(paid === 200 ? [409, 409] : [200, 200]);
    }
  });
});

describe("voiding an invoice", () => {
  it("of an order cancels the order; one that is paid is refused, and void it stays", async () => {
    const external = await customer();
    const { orderId, invoiceId } = await order(external);
    expect(codeOf(await post(`/invoices/${invoiceId}/void`, { reason, usage: "forgiven" }))).toEqual([
      422,
      "not_of_period",
    ]);
    const voided = await post(`/invoices/${invoiceId}/void`, { reason });
    expect(voided).toMatchObject({ status: 200, json: { status: "void", voidedUsage: null } });
    expect(await scene.lastAudit()).toMatchObject({
      action: "invoice.void",
      subject: { invoiceId, reason },
      after: { status: "void" },
    });
    expect((await post(`/invoices/${invoiceId}/void`, { reason })).text).toBe(voided.text);
    expect(await get(`/orders/${orderId}`)).toMatchObject({ status: "cancelled" });
    expect(await get(`/invoices/${invoiceId}`)).toEqual(voided.json);
    const paid = await order(external, { paid: true });
    expect(codeOf(await post(`/invoices/${paid.invoiceId}/void`, { reason }))).toEqual([409, "invoice_paid"]);
    expect((await get("/invoices/none")).code).toBe("invoice_unknown");
    await expect(
      connection.pool.query(`update invoices set status = 'paid', paid_at = now() where invoice_id = $1`, [
        invoiceId,
      ]),
    ).rejects.toThrow("invoices that is void stays so");
  });

  it("of a period puts what it billed on the next one, or forgives it", async () => {
    const external = await scene.admin.newCustomer(scene.plane, {
      kind: "postpaid",
      creditCurrencyKey: "ai_credits",
      postpaidLimit: 0,
    });
    await post("/currencies", {
      creditCurrencyKey: "ai_credits",
      unitPrice: { amount: "10", currency: "EUR" },
    });
    const use = async (credits: number) => {
      const correction = {
        customerId: external,
        creditCurrencyKey: "ai_credits",
        credits: -credits,
        reason,
      };
      expect((await post("/corrections", correction)).status).toBe(200);
      scene.clock.time += 60_000;
      await post("/close-period", { early: true });
      const { invoices } = await get(`/invoices?customerId=${external}&type=period&status=open`);
      return (invoices as { invoiceId: string; credits: number; amount: number }[])[0];
    };
    const first = await use(7);
    expect(first).toMatchObject({ credits: 7, amount: 70 });
    const path = `/invoices/${first?.invoiceId}`;
    const voided = await post(`${path}/void`, { reason });
    expect(voided.json).toMatchObject({ status: "void", voidedUsage: "rebilled" });
    expect(await scene.wallet(external)).toMatchObject({ postpaid_used: 7 });
    expect(codeOf(await post(`${path}/void`, { reason, usage: "forgiven" }))).toEqual([409, "invoice_void"]);
    expect((await post(`${path}/void`, { reason, usage: "rebilled" })).text).toBe(voided.text);

    const second = await use(3);
    expect(second).toMatchObject({ credits: 10, amount: 100 });
    expect(
      (await post(`/invoices/${second?.invoiceId}/void`, { reason, usage: "forgiven" })).json,
    ).toMatchObject({ voidedUsage: "forgiven" });
    expect(await scene.wallet(external)).toMatchObject({ postpaid_used: 0 });
    expect(await use(2)).toMatchObject({ credits: 2, amount: 20 });
    const { entries } = await get(`/ledger?customerId=${external}&cause=void`);
    expect(entries).toMatchObject([{ invoiceId: first?.invoiceId, postpaidUsed: 7 }]);
  });
});

describe("a credit note", () => {
  const note = (invoiceId: string, body: Record<string, unknown>, key?: string) =>
    post(
      `/invoices/${invoiceId}/credit-notes`,
      { reason, ...body },
      key === undefined ? {} : { "idempotency-key": key },
    );
  const ai = (credits: number) => [{ creditCurrencyKey: "ai_credits", credits }];

  it("credits a paid invoice in parts, never above it, and takes its credits back, once for each key", async () => {
    const external = await customer();
    const { invoiceId } = await order(external, { paid: true });
    const part = await note(invoiceId, { amount: 900, credits: ai(4) }, "note-1");
    expect(part).toMatchObject({
      status: 201,
      json: { invoiceId, customerExternalId: external, amount: 900, currency: "EUR", credits: ai(4), reason },
    });
    expect((await note(invoiceId, { amount: 900, credits: ai(4) }, "note-1")).text).toBe(part.text);
    expect(await scene.wallet(external)).toMatchObject({ available: 6, overage_used: 0 });
    expect(await scene.lastAudit()).toMatchObject({
      action: "invoice.credit",
      subject: invoiceId,
      before: { creditedAmount: 0 },
      after: { creditedAmount: 900, note: { amount: 900 } },
    });
    expect(codeOf(await note(invoiceId, { amount: 4001 }))).toEqual([422, "amount_above_invoice"]);
    expect(codeOf(await note(invoiceId, { credits: ai(7) }))).toEqual([422, "credits_above_invoice"]);
    expect(
      codeOf(await note(invoiceId, { credits: [{ creditCurrencyKey: "yen_credits", credits: 1 }] })),
    ).toEqual([422, "credits_above_invoice"]);
    expect(await note(invoiceId, {})).toMatchObject({ json: { amount: 4000, credits: ai(6) } });
    expect(await scene.wallet(external)).toMatchObject({ available: 0, overage_used: 0 });
    expect(codeOf(await note(invoiceId, {}))).toEqual([422, "nothing_left"]);
    expect(await get(`/invoices/${invoiceId}`)).toMatchObject({ status: "paid", creditedAmount: 4900 });
    const { creditNotes } = await get(`/credit-notes?invoiceId=${invoiceId}`);
    expect(creditNotes).toHaveLength(2);
    const { entries } = await get(`/ledger?customerId=${external}&cause=credit_note`);
    const notes = (creditNotes as { creditNoteId: string }[]).map(({ creditNoteId }) => creditNoteId);
    expect(new Set((entries as { creditNoteId: string }[]).map((entry) => entry.creditNoteId))).toEqual(
      new Set(notes),
    );
  });

  it("has a key that belongs to its invoice", async () => {
    const external = await customer();
    const [first, second] = [await order(external, { paid: true }), await order(external, { paid: true })];
    expect((await note(first.invoiceId, { amount: 1 }, "note-2")).status).toBe(201);
    expect(codeOf(await note(second.invoiceId, { amount: 1 }, "note-2"))).toEqual([
      422,
      "idempotency_key_reused",
    ]);
  });

  it("takes back no credits that are used, nor what is accepted and not debited yet", async () => {
    const external = await customer();
    const { invoiceId } = await order(external, { paid: true });
    const correction = { customerId: external, creditCurrencyKey: "ai_credits", credits: -3, reason };
    await post("/corrections", correction);
    const refused = await note(invoiceId, {});
    expect(codeOf(refused)).toEqual([422, "credits_used"]);
    expect(refused.json.detail).toContain('credits: expected at most 7 in "ai_credits"');
    expect(await get(`/invoices/${invoiceId}`)).toMatchObject({ creditedAmount: 0 });
    expect(await get(`/credit-notes?invoiceId=${invoiceId}`)).toMatchObject({ creditNotes: [] });
    // Accepted, and never settled: the clock stands still.
    await connection.pool.query(
      reported(
        `select org_id, null as idempotency_key, 'message' as indicator, external_id as customer_id, 'ai_credits' as currency,
                2000000 as amount, now() as received_at from customers where external_id = $1`,
        "'2100-01-01'",
      ),
      [external],
    );
    expect((await note(invoiceId, { credits: ai(5.000001) })).json.detail).toContain("at most 5 in");
    expect((await note(invoiceId, { amount: 4900, credits: ai(5) })).status).toBe(201);
    expect(await scene.wallet(external)).toMatchObject({ available: 2, overage_used: 0 });
    await connection.pool.query("update usage_due set due_at = now() where due_at > '2099-01-01'");
  });

  it("is for paid invoices alone, and one of a period takes nothing from a wallet", async () => {
    const external = await scene.admin.newCustomer(scene.plane, {
      kind: "postpaid",
      creditCurrencyKey: "voice_credits",
      postpaidLimit: 0,
    });
    await post("/corrections", {
      customerId: external,
      creditCurrencyKey: "voice_credits",
      credits: -5,
      reason,
    });
    scene.clock.time += 60_000;
    await post("/close-period", { early: true });
    const { invoices } = await get(`/invoices?customerId=${external}`);
    const [invoice] = invoices as { invoiceId: string }[];
    const invoiceId = invoice?.invoiceId ?? "";
    expect(codeOf(await note(invoiceId, {}))).toEqual([409, "invoice_not_paid"]);
    await post(`/invoices/${invoiceId}/mark-paid`);
    expect(codeOf(await note(invoiceId, { amount: 1 }))).toEqual([422, "amount_above_invoice"]);
    const voice = (credits: number) => [{ creditCurrencyKey: "voice_credits", credits }];
    expect(await note(invoiceId, { credits: voice(2) })).toMatchObject({
      status: 201,
      json: { amount: null, currency: null, credits: voice(2) },
    });
    expect(codeOf(await note(invoiceId, { credits: voice(3.5) }))).toEqual([422, "credits_above_invoice"]);
    expect(await scene.wallet(external, "voice_credits")).toMatchObject({ postpaid_used: 0 });
    expect(codeOf(await note("none", {}))).toEqual([404, "invoice_unknown"]);
  });

  it("never credits more than the invoice, however many are made at once", async () => {
    const external = await customer();
    const { invoiceId } = await order(external, { paid: true });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => note(invoiceId, { amount: 1000, credits: ai(3) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await scene.wallet(external)).toMatchObject({ available: 1 });
    expect(await get(`/invoices/${invoiceId}`)).toMatchObject({ creditedAmount: 3000 });
  });
});

describe("verify", () => {
  /** As somebody does who goes behind the ledger's back, and back again. */
  const tamper = (statement: string) =>
    connection.pool.query(
      `set session_replication_role = replica; ${statement}; set session_replication_role = origin`,
    );

  it.each([
    [
      "order",
      "update orders set status = 'active', cancelled_at = null, activated_at = now() where order_id = $pending",
    ],
    ["invoice", "update credit_benefits set amount = amount + 1 where order_id = $paid"],
    ["invoice", "update invoices set credited_amount = credited_amount + 1 where order_id = $paid"],
    [
      "invoice",
      "update credit_note_credits set amount = amount + 9500000 where credit_note_id in (select credit_note_id from credit_notes join invoices using (org_id, invoice_id) where order_id = $paid)",
    ],
    [
      "credit note",
      "delete from ledger_entries where credit_note_id in (select credit_note_id from credit_notes join invoices using (org_id, invoice_id) where order_id = $paid)",
    ],
    ["invoice", "update invoices set voided_usage = 'forgiven' where voided_usage = 'rebilled'"],
  ])("finds a wrong %s: %s", async (what, statement) => {
    const external = await customer();
    const { orderId: pending } = await order(external);
    const { orderId: paid, invoiceId } = await order(external, { paid: true });
    await post(`/invoices/${invoiceId}/credit-notes`, {
      amount: 100,
      credits: [{ creditCurrencyKey: "ai_credits", credits: 1 }],
      reason,
    });
    expect((await verify(connection.database)).differences).toEqual([]);
    const [, table = ""] = /^(?:update|delete from) (\w+)/.exec(statement) ?? [];
    const own = table === "ledger_entries" ? "overriding system value " : "";
    await connection.pool.query(`create table kept as table ${table}`);
    await tamper(statement.replace("$pending", `'${pending}'`).replace("$paid", `'${paid}'`));
    const { differences } = await verify(connection.database);
    await tamper(`delete from ${table}; insert into ${table} ${own}table kept; drop table kept`);
    expect(differences.map((difference) => difference.what)).toContain(what);
    expect((await verify(connection.database)).differences).toEqual([]);
  });
});
