import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usageOf } from "./caller.ts";
import { fee, invoiceOf, type OrderScene, openOrderScene, withCredits } from "./order-scene.ts";

let scene: OrderScene;
beforeAll(async () => {
  scene = await openOrderScene();
});
afterAll(() => scene.plane.stop());

describe("POST /api/v1/invoices/{invoice_id}/mark-paid (3, 4.4)", () => {
  it("activates the pending replacement order, and supersedes the old plan order", async () => {
    const customer = await scene.newCustomer();
    const old = await scene.order(customer);
    const replacement = await scene.order(customer, fee);
    const paid = await scene.client.invoices.markPaid(invoiceOf(replacement));
    expect(paid).toMatchObject({
      invoiceId: invoiceOf(replacement),
      status: "paid",
      paidAt: expect.any(String),
    });
    expect(await scene.statuses(customer)).toEqual({
      [old.orderId]: "superseded",
      [replacement.orderId]: "active",
    });
  });

  it("leaves one active order of several replacements, whichever is paid last", async () => {
    const customer = await scene.newCustomer();
    const old = await scene.order(customer);
    const [second, third] = [await scene.order(customer, fee), await scene.order(customer, fee)];
    await scene.client.invoices.markPaid(invoiceOf(third));
    await scene.client.invoices.markPaid(invoiceOf(second));
    expect(await scene.statuses(customer)).toEqual({
      [old.orderId]: "superseded",
      [second.orderId]: "active",
      [third.orderId]: "superseded",
    });
  });

  it("moves the credit benefits from pending to available, overage first (3)", async () => {
    const customer = await scene.newCustomer();
    const created = await scene.order(customer, withCredits(10));
    // Two messages of 1.066 without credit: 2.132 of overage.
    for (const _ of [1, 2]) await scene.client.usage.report(usageOf({ customerId: customer }) as never);
    await scene.plane.settled();
    expect((await scene.plane.balance(customer)).ai_credits).toMatchObject({
      available: 0,
      pending: 10,
      overage_used: 2.132,
    });
    await scene.client.invoices.markPaid(invoiceOf(created));
    expect((await scene.plane.balance(customer)).ai_credits).toMatchObject({
      available: 7.868,
      pending: 0,
      overage_used: 0,
    });
  });

  it("changes everything once of 20 posts at once, and nothing when it is repeated", async () => {
    const customer = await scene.newCustomer();
    const created = await scene.order(customer, withCredits(5));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => scene.client.invoices.markPaid(invoiceOf(created))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const balance = await scene.plane.balance(customer);
    expect(balance.ai_credits).toMatchObject({ available: 5, pending: 0 });
    const newer = await scene.order(customer);
    await scene.client.invoices.markPaid(invoiceOf(newer));
    expect(await scene.client.invoices.markPaid(invoiceOf(created))).toEqual(answers[0]);
    expect(await scene.plane.balance(customer)).toEqual(balance);
    expect(await scene.statuses(customer)).toMatchObject({
      [created.orderId]: "superseded",
      [newer.orderId]: "active",
    });
  });

  it("needs no body, and answers 404 for an invoice that does not exist", async () => {
    for (const id of ["nothing", randomUUID(), "%00"]) {
      const { status, json } = await scene.call("POST", `/api/v1/invoices/${id}/mark-paid`);
      expect([status, json.code]).toEqual([404, "invoice_unknown"]);
    }
  });

  it("leaves one active order of many that are made, or paid, at once", async () => {
    const customer = await scene.newCustomer();
    const free = await Promise.all(Array.from({ length: 10 }, () => scene.order(customer)));
    const actives = async () =>
      Object.values(await scene.statuses(customer)).filter((status) => status === "active");
    expect(await actives()).toHaveLength(1);
    const pending = free.filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(9);
    await Promise.all(pending.map((created) => scene.client.invoices.markPaid(invoiceOf(created))));
    expect(await actives()).toHaveLength(1);
  });

  it("survives orders and payments of the same customer at once, in any order", async () => {
    const customer = await scene.newCustomer();
    const orders = await Promise.all(Array.from({ length: 8 }, () => scene.order(customer, withCredits(1))));
    await Promise.all([
      ...orders.map((created) => scene.client.invoices.markPaid(invoiceOf(created))),
      ...Array.from({ length: 4 }, () => scene.order(customer, withCredits(1))),
      ...Array.from({ length: 4 }, () =>
        scene.client.usage.report(usageOf({ customerId: customer }) as never),
      ),
    ]);
    await scene.plane.settled();
    const states = Object.values(await scene.statuses(customer));
    expect(states.filter((status) => status === "active")).toHaveLength(1);
    expect((await scene.plane.balance(customer)).ai_credits).toMatchObject({ available: 3.736, pending: 4 });
  });
});
