import { randomUUID } from "node:crypto";
import { webhookEvent } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capacitiesOf } from "../../core/src/wallet/capacity.ts";
import { createOrder } from "../src/orders/creation.ts";
import { markPaid } from "../src/orders/payment.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { lockWallets } from "../src/wallets/ledger.ts";
import { openWallets } from "../src/wallets/opening.ts";
import { adjust, topUpWallets } from "../src/wallets/top-up.ts";
import { walletEvents } from "../src/wallets/wallet-events.ts";
import { acme } from "./fixture.ts";
import { delayMs, openScene, type Scene } from "./scene.ts";

const credit = 1_000_000n;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    ...acme,
    customers: ["alice", "bob", "carol", "dave", "erin", "frank"].map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "prepaid", available: 10, overageLimit: 2 }],
    })),
  });
  await scene.pool.query(
    `insert into webhook_endpoints (org_id, endpoint_id, url, created_at) values ($1, $2, 'https://example.com', now())`,
    [scene.orgId, randomUUID()],
  );
  await scene.pool.query("update organizations set low_threshold = 5000000");
});
afterAll(() => scene.close());

const at = () => new Date(scene.clock.now() + delayMs);

async function use(customer: string, reports: number, indicator = "message"): Promise<void> {
  await Promise.all(Array.from({ length: reports }, () => scene.accept(customer, indicator)));
  await settleDue(scene.database, at());
}

const topUp = (customer: string, credits: bigint) =>
  scene.database
    .transaction()
    .execute((transaction) =>
      topUpWallets(
        transaction,
        scene.orgId,
        customer,
        [{ currency: "ai_credits", amount: credits * credit }],
        at(),
      ),
    );

interface Row {
  readonly type: string;
  readonly currency: string;
  readonly body: string;
}

async function rowsOf(customer: string): Promise<readonly Row[]> {
  const text = "select type, currency, body from webhook_events where customer_id = $1 order by sequence";
  return (await scene.pool.query<Row>(text, [customer])).rows;
}

const typesOf = async (customer: string) => (await rowsOf(customer)).map(({ type }) => type);

describe("an event", () => {
  it("tells of each crossing once, in order, and not of what is settled below it", async () => {
    await use("alice", 5);
    expect(await typesOf("alice")).toEqual([]);
    await use("alice", 1);
    await use("alice", 2);
    expect(await typesOf("alice")).toEqual(["wallet.low"]);
    await use("alice", 3);
    await use("alice", 1);
    await use("alice", 1);
    expect(await typesOf("alice")).toEqual(["wallet.low", "overage.started", "wallet.exhausted"]);
    await topUp("alice", 12n);
    await use("alice", 20);
    expect((await typesOf("alice")).slice(3)).toEqual([
      "wallet.topped_up",
      "wallet.low",
      "overage.started",
      "wallet.exhausted",
    ]);
  });

  it("has a body that receivers can parse, with the wallet as it is then", async () => {
    const events = (await rowsOf("alice")).map(({ body }) => webhookEvent.parse(JSON.parse(body)));
    expect(events[0]).toEqual({
      type: "wallet.low",
      timestamp: at().toISOString(),
      data: {
        customerId: "alice",
        creditCurrencyKey: "ai_credits",
        kind: "prepaid",
        state: "funded",
        available: 4,
        pending: 0,
        overageUsed: 0,
        overageLimit: 2,
        postpaidUsed: 0,
        postpaidLimit: 0,
        lowThreshold: 5,
      },
    });
    expect(events[3]).toMatchObject({
      type: "wallet.topped_up",
      data: { cause: "top_up", credits: 12, available: 9, overageUsed: 0, topUpId: expect.any(String) },
    });
  });

  it.each(["prepaid", "postpaid"] as const)(
    "computes what a %s wallet can pay as the gate does, and its state as events have it",
    async (kind) => {
      const all = ["available", "overage_used", "overage_limit", "postpaid_used", "postpaid_limit"] as const;
      const own = all.filter((name) => name.startsWith("postpaid") === (kind === "postpaid"));
      const key = { orgId: scene.orgId, customerId: "frank", currency: "ai_credits" };
      const topUp = {
        ...key,
        cause: "top_up",
        available: 1n,
        pending: 0n,
        overageUsed: 0n,
        postpaidUsed: 0n,
      };
      const amounts = [0, 1, 2_500_000, 3_333_333];
      for (let number = 0; number < 4 ** own.length; number++) {
        const amount = (name: (typeof all)[number]) =>
          own.includes(name) ? (amounts[Math.floor(number / 4 ** own.indexOf(name)) % 4] ?? 0) : 0;
        // A wallet in overage has nothing available.
        if (amount("available") > 0 && amount("overage_used") > 0) continue;
        const write = (figure: (name: (typeof all)[number]) => number) =>
          scene.pool.query(
            `update wallets set kind = $1, ${all.map((name) => `${name} = ${figure(name)}`)} where customer_id = 'frank'
           returning state, coalesce(wallet_capacity(wallets)::float8, 'Infinity') as capacity`,
            [kind],
          );
        // It is locked with its limits alone, and then changed.
        await write((name) => (name.endsWith("_limit") ? amount(name) : 0));
        const [locked] = await scene.database.transaction().execute((change) => lockWallets(change, [key]));
        const { rows } = await write(amount);
        const entry = { pending: 0, ...Object.fromEntries(all.map((name) => [name, amount(name) / 1e6])) };
        const capacity = Number(capacitiesOf(entry)[kind]);
        expect(rows, JSON.stringify(entry)).toMatchObject([{ capacity }]);
        expect(rows[0].state === "exhausted").toBe(capacity <= 0);
        const changed = {
          available: BigInt(amount("available")),
          overageUsed: BigInt(amount("overage_used")),
          postpaidUsed: BigInt(amount("postpaid_used")),
        };
        const [event] = walletEvents(locked === undefined ? [] : [{ ...locked, ...changed }], [topUp]);
        expect(event).toMatchObject({ data: { state: rows[0].state } });
      }
    },
  );

  it("tells the state of a wallet as the database does", async () => {
    const { rows } = await scene.pool.query("select state from wallets where customer_id = 'alice'");
    const [last] = (await rowsOf("alice")).slice(-1).map(({ body }) => JSON.parse(body));
    const states = (await rowsOf("alice")).map(({ body }) => JSON.parse(body).data.state);
    expect([last.data.state]).toEqual(rows.map(({ state }) => state));
    expect(states).toEqual([
      "funded",
      "overage",
      "exhausted",
      "funded",
      "exhausted",
      "exhausted",
      "exhausted",
    ]);
  });

  it("goes by the wallet's own threshold where it has one", async () => {
    await scene.pool.query("update wallets set low_threshold = 9000000 where customer_id = 'bob'");
    await use("bob", 1);
    expect(await typesOf("bob")).toEqual([]);
    await use("bob", 1);
    expect(await typesOf("bob")).toEqual(["wallet.low"]);
  });

  it("tells of credits that are given back, and not of those that are taken", async () => {
    const key = { orgId: scene.orgId, customerId: "bob", currency: "ai_credits" };
    const change = (cause: "refund" | "correction", amount: bigint) =>
      scene.database
        .transaction()
        .execute((transaction) => adjust(transaction, { ...key, cause, amount, reason: "why" }, at()));
    await change("correction", -2n * credit);
    await change("correction", credit);
    await change("refund", credit);
    const told = (await rowsOf("bob")).slice(1).map(({ body }) => JSON.parse(body));
    expect(told).toMatchObject([
      { type: "wallet.topped_up", data: { cause: "correction", credits: 1 } },
      { type: "wallet.topped_up", data: { cause: "refund", credits: 1 } },
    ]);
  });

  it("comes or goes with the transaction of its change", async () => {
    const refused = scene.database.transaction().execute(async (transaction) => {
      const credits = [{ currency: "ai_credits", amount: credit }];
      await topUpWallets(transaction, scene.orgId, "carol", credits, at());
      throw new Error("after all");
    });
    await expect(refused).rejects.toThrow("after all");
    expect(await typesOf("carol")).toEqual([]);
  });

  it("tells of orders and invoices in the order of the customer, and of their credits in the wallet's", async () => {
    const order = {
      orgId: scene.orgId,
      customerId: "carol",
      name: "Plan",
      startDate: "2026-01-01",
      lineItems: [
        {
          agentId: "chat",
          platformFee: { amount: 500n, currency: "EUR" },
          creditBenefits: [{ currency: "ai_credits", amount: 3n * credit }],
        },
      ],
    };
    await scene.database.transaction().execute((transaction) => createOrder(transaction, order, at()));
    const { rows } = await scene.pool.query("select invoice_id from invoices where customer_id = 'carol'");
    const pay = () =>
      scene.database
        .transaction()
        .execute((transaction) => markPaid(transaction, scene.orgId, rows[0].invoice_id, at()));
    expect([await pay(), await pay()]).toEqual(["paid", "paid_before"]);
    const told = await rowsOf("carol");
    expect(told.filter(({ currency }) => currency === "").map(({ type }) => type)).toEqual([
      "invoice.created",
      "invoice.paid",
      "order.activated",
    ]);
    expect(told.filter(({ currency }) => currency !== "").map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "wallet.topped_up", data: { cause: "payment", credits: 3, invoiceId: rows[0].invoice_id } },
    ]);
    for (const { body } of told) expect(() => webhookEvent.parse(JSON.parse(body))).not.toThrow();
  });

  it("tells of a postpaid wallet that nears its limit and reaches it, and of the invoice of its period", async () => {
    const key = { orgId: scene.orgId, customerId: "dave", currency: "voice_credits" };
    const terms = { kind: "postpaid", overageLimit: 0n, postpaidLimit: 7n * credit } as const;
    await scene.database.transaction().execute((transaction) => openWallets(transaction, [key], at(), terms));
    await use("dave", 1, "speech");
    await use("dave", 1, "speech");
    await use("dave", 2, "speech");
    await use("dave", 1, "speech");
    expect(await typesOf("dave")).toEqual(["wallet.low", "wallet.exhausted"]);
    const early = { database: scene.database, defaults: defaultPeriodSettings, early: true, actor: "test" };
    await closePeriods({ ...early, now: new Date(at().getTime() + 1) });
    const [created] = (await rowsOf("dave")).slice(2).map(({ body }) => webhookEvent.parse(JSON.parse(body)));
    expect(created).toMatchObject({
      type: "invoice.created",
      data: { type: "period", creditCurrencyKey: "voice_credits", credits: 10 },
    });
    await use("dave", 4, "speech");
    expect((await typesOf("dave")).slice(3)).toEqual(["wallet.low", "wallet.exhausted"]);
  });

  it("tells of usage that no wallet has paid, once for what was settled together", async () => {
    await use("erin", 120, "speech");
    const [event, ...others] = (await rowsOf("erin")).map(({ body }) => JSON.parse(body));
    expect(others).toEqual([]);
    expect(webhookEvent.parse(event)).toEqual({
      type: "usage.rejected",
      timestamp: at().toISOString(),
      data: {
        customerId: "erin",
        creditCurrencyKey: "voice_credits",
        reason: "wallet_missing",
        events: 120,
        credits: 240,
        usageIds: expect.any(Array),
      },
    });
    expect(event.data.usageIds).toHaveLength(100);
  });
});

describe("writeEvents", () => {
  const waiting = async () =>
    (
      await scene.pool.query(`
        select customer_id, currency, waiting,
               (select count(*)::int from webhook_deliveries as delivery
                 where (delivery.org_id, delivery.endpoint_id, delivery.customer_id, delivery.currency)
                     = (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)) as deliveries
          from webhook_streams as stream order by customer_id, currency`)
    ).rows;

  it("queues each event for the endpoints that ask for its type, and counts those of each wallet", async () => {
    const before = await waiting();
    expect(before.length).toBeGreaterThan(5);
    for (const { waiting: count, deliveries } of before) expect(count).toBe(deliveries);
  });

  it("queues nothing for an endpoint that is disabled, and keeps nothing that none asks for", async () => {
    const before = await waiting();
    const kept = async () =>
      (await scene.pool.query("select count(*)::int from webhook_events")).rows[0].count;
    const events = await kept();
    await scene.pool.query("update webhook_endpoints set disabled_at = now(), disabled_why = 'failing'");
    await topUp("erin", 1n);
    expect([await waiting(), await kept()]).toEqual([before, events + 1]);
    await scene.pool.query(
      "update webhook_endpoints set events = '{wallet.low}', disabled_at = null, disabled_why = null",
    );
    await topUp("erin", 1n);
    expect([await waiting(), await kept()]).toEqual([before, events + 1]);
    await use("erin", 8);
    expect(await kept()).toBe(events + 2);
    expect(await waiting()).toContainEqual({
      customer_id: "erin",
      currency: "ai_credits",
      waiting: 1,
      deliveries: 1,
    });
  });

  it("does not deadlock where many write to the same wallets at once", async () => {
    await scene.pool.query("update webhook_endpoints set events = null");
    const names = ["alice", "bob", "carol", "dave", "erin", "frank"];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const customer = names[index % names.length] ?? "";
        if (index % 3 === 0) await scene.accept(customer, "speech");
        return index % 2 === 0 ? settleDue(scene.database, at(), 5) : topUp(customer, 1n);
      }),
    );
    for (const { waiting: count, deliveries } of await waiting()) expect(count).toBe(deliveries);
  });
});
