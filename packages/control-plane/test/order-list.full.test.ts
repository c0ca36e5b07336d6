import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BenefitsRow, type LineItemRow, lineItemsByOrder } from "../src/orders/record.ts";
import { type OrderScene, openOrderScene } from "./order-scene.ts";

let scene: OrderScene;
beforeAll(async () => {
  scene = await openOrderScene();
});
afterAll(() => scene.plane.stop());

interface OrderPage {
  readonly orders: readonly {
    readonly orderId: string;
    readonly lineItems: readonly { readonly creditBenefits: readonly unknown[] }[];
  }[];
  readonly next: string | null;
}

/** All orders of a customer, page by page. */
async function pagesOf(customer: string, limit?: number): Promise<OrderPage[]> {
  const pages: OrderPage[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = (await scene.client.customers.orders(customer, { limit, cursor })) as OrderPage;
    pages.push(page);
    if (page.next === null) return pages;
    cursor = page.next;
  }
}

describe("the list of a customer's orders (4.3)", { timeout: 120_000 }, () => {
  it("takes each line item and each benefit once, not each pair of them", () => {
    let reads = 0;
    const counted = <Row extends object>(row: Row): Row =>
      new Proxy(row, {
        get: (target, name) => {
          reads += 1;
          return Reflect.get(target, name);
        },
      });
    const own = Array.from({ length: 20 }, (_, index) => [`k${index}`, "1000000", null, null, null] as const);
    const items: LineItemRow[] = [];
    const benefits: BenefitsRow[] = [];
    for (let order = 0; order < 20; order++) {
      for (let position = 0; position < 100; position++) {
        const order_id = `o${order}`;
        items.push(counted({ order_id, position, agent_id: "chat", fee_amount: 1n, fee_currency: "EUR" }));
        benefits.push(counted({ order_id, position, benefits: own }));
      }
    }
    const found = lineItemsByOrder(items, benefits);
    expect(reads).toBeLessThan(10 * (items.length + benefits.length));
    expect(found.get("o19")).toHaveLength(100);
    expect(found.get("o7")?.[3]).toMatchObject({
      creditBenefits: Array.from({ length: 20 }, (_, index) => ({ credit_currency_key: `k${index}` })),
    });
  });

  it("has pages that a client takes, and leads to all of 120 orders of 100 items with 20 benefits each", async () => {
    const customer = await scene.newCustomer();
    const creditBenefits = Array.from({ length: 20 }, (_, index) => ({
      credit_currency_key: `k${index}`,
      credits: 1,
    }));
    const item = { agentId: "chat", platformFee: { amount: 1, currency: "EUR" }, creditBenefits };
    const { orderId } = (await scene.client.orders.create({
      customerExternalId: customer,
      orderName: "Plan",
      startDate: "2026-01-01",
      lineItems: Array.from({ length: 100 }, () => item),
    })) as { orderId: string };
    await scene.query(`
      insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, created_at)
        select org_id, gen_random_uuid(), customer_id, name, start_date, kind, status, created_at - i * interval '1 minute'
          from orders, generate_series(1, 119) i where order_id = '${orderId}';
      insert into order_line_items
        select copy.org_id, copy.order_id, position, agent_id, fee_amount, fee_currency
          from orders as copy, order_line_items as item
         where copy.customer_id = '${customer}' and copy.order_id <> item.order_id and item.order_id = '${orderId}';
      insert into credit_benefits
        select copy.org_id, copy.order_id, position, currency, amount
          from orders as copy, credit_benefits as benefit
         where copy.customer_id = '${customer}' and copy.order_id <> benefit.order_id and benefit.order_id = '${orderId}'`);
    const start = performance.now();
    const pages = await pagesOf(customer);
    console.log(`120 orders, ${pages.length} pages: ${Math.round(performance.now() - start)} ms`);
    // 2,000 benefits and 100 items in 150 kB or so.
    expect(pages.map(({ orders }) => orders.length)).toEqual(Array.from({ length: 30 }, () => 4));
    const orders = pages.flatMap((page) => page.orders);
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(120);
    expect(orders[0]?.orderId).toBe(orderId);
    for (const { lineItems } of orders) {
      expect(lineItems).toHaveLength(100);
      expect(lineItems.every((own) => own.creditBenefits.length === 20)).toBe(true);
    }
  });

  it("has pages of the size that is asked for, up to 100", async () => {
    const customer = await scene.newCustomer();
    for (let count = 0; count < 5; count++) await scene.order(customer);
    const pages = await pagesOf(customer, 2);
    expect(pages.map(({ orders }) => orders.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap((page) => page.orders.map(({ orderId }) => orderId))).size).toBe(5);
    const path = `/api/v1/customers/by-external-id/${customer}/orders`;
    for (const query of [
      "limit=101",
      "limit=0",
      "limit=x",
      "cursor=nothing",
      `cursor=${crypto.randomUUID()}`,
    ]) {
      const { status, json } = await scene.call("GET", `${path}?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(json.errors).toMatchObject([{ pointer: query.split("=", 1)[0] }]);
    }
  });
});

describe("the list of a customer's invoices", () => {
  it("has those of periods without an order too, and those of orders, in pages", async () => {
    const customer = await scene.newCustomer();
    const { invoices } = await scene.order(customer, { platformFee: { amount: 1, currency: "EUR" } });
    await scene.query(
      `insert into invoices (org_id, invoice_id, customer_id, kind, status, credit_currency, credits, period_start, period_end, created_at)
       select org_id, gen_random_uuid(), external_id, 'period', 'open', 'ai_credits', 1, '2026-01-01', '2026-02-01', now() + interval '1 hour'
         from customers where external_id = '${customer}'`,
    );
    type Page = { invoices: { type: string; orderId: string | null }[]; next: string | null };
    const first = (await scene.client.customers.invoices(customer, { limit: 1 })) as Page;
    expect(first.invoices).toMatchObject([{ type: "period", orderId: null }]);
    const second = (await scene.client.customers.invoices(customer, { cursor: first.next ?? "" })) as Page;
    expect(second).toMatchObject({ invoices: [{ invoiceId: invoices[0]?.invoiceId }], next: null });
    await expect(scene.client.customers.invoices("nobody")).rejects.toMatchObject({ status: 404 });
  });
});
