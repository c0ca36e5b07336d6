import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrder } from "../src/orders/creation.ts";
import { creditInvoice } from "../src/orders/credit-note.ts";
import { voidInvoice } from "../src/orders/invoice-void.ts";
import { markPaid } from "../src/orders/payment.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { verify } from "../src/verification/wallets.ts";
import { topUpWallets } from "../src/wallets/top-up.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const creators = 20;
const customers = ["alice", "bob", "carol", "dave"];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    ...acme,
    customers: customers.map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [
        { currency: "ai_credits", kind: "prepaid", available: 100 },
        { currency: "voice_credits", kind: "postpaid", limit: 0, used: 5 },
      ],
    })),
  });
});
afterAll(async () => {
  expect((await verify(scene.database)).differences).toEqual([]);
  await scene.close();
});

const at = () => new Date(scene.clock.now());

/** Orders credits; with a reason to fail, after all of it is written, nothing of it is there. */
function order(customerId: string, failure?: Error): Promise<string> {
  const creditBenefits = [{ currency: "ai_credits", amount: 1_000_000n }];
  const lineItems = [{ agentId: "chat", platformFee: { amount: 100n, currency: "EUR" }, creditBenefits }];
  return scene.database.transaction().execute(async (transaction) => {
    const made = { orgId: scene.orgId, customerId, name: "Plan", startDate: "2026-01-01", lineItems };
    const receipt = await createOrder(transaction, made, at());
    if (failure !== undefined) throw failure;
    return receipt.created ? receipt.orderId : receipt.reason;
  });
}

async function numbers(table: "invoices" | "credit_notes"): Promise<readonly number[]> {
  const { rows } = await scene.pool.query(
    `select number from ${table} where org_id = ${scene.orgId} order by number`,
  );
  return rows.map(({ number }) => Number(number));
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const invoicesOf = async () =>
  (
    await scene.pool.query<{ invoice_id: string }>(
      "select invoice_id from invoices where kind = 'order' and status = 'open'",
    )
  ).rows;

describe("numbers of documents", () => {
  it("have no gap and no repetition after creators at once, a third of whom roll back", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: creators }, async (_, creator) => {
        for (let turn = 0; turn < 3; turn++) {
          const customer = customers[(creator + turn) % customers.length] ?? "";
          const isRolledBack = (creator + turn) % 3 === 0;
          const made = order(customer, isRolledBack ? new Error("rolled back") : undefined);
          await (isRolledBack ? expect(made).rejects.toThrow("rolled back") : made);
        }
      }),
    );
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await numbers("invoices")).toEqual(upTo((creators * 3 * 2) / 3));
  });

  it("go on with the invoices of periods and those that are void, while wallets are written, without a deadlock", async () => {
    const before = (await numbers("invoices")).length;
    const [first] = await invoicesOf();
    scene.clock.time = Date.UTC(2026, 1, 2);
    const close = () =>
      closePeriods({ database: scene.database, defaults: defaultPeriodSettings, now: at(), actor: "test" });
    const topUp = (customer: string) =>
      scene.database
        .transaction()
        .execute((transaction) =>
          topUpWallets(transaction, scene.orgId, customer, [{ currency: "ai_credits", amount: 1n }], at()),
        );
    await Promise.all([
      close(),
      ...customers.flatMap((customer) => [order(customer), topUp(customer), order(customer)]),
      close(),
      scene.database
        .transaction()
        .execute((transaction) =>
          voidInvoice(transaction, { orgId: scene.orgId, invoiceId: first?.invoice_id ?? "" }, at()),
        ),
    ]);
    expect(await numbers("invoices")).toEqual(upTo(before + customers.length * 3));
    const { rows } = await scene.pool.query(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0n }]);
  });

  it("of credit notes are a series of their own, and a refused one takes none", async () => {
    const invoices = (await invoicesOf()).slice(0, 8);
    await Promise.all(
      invoices.map(({ invoice_id }) =>
        scene.database
          .transaction()
          .execute((transaction) => markPaid(transaction, scene.orgId, invoice_id, at())),
      ),
    );
    const credit = (invoiceId: string, amount: bigint) =>
      scene.database.transaction().execute(async (transaction) => {
        const note = { orgId: scene.orgId, invoiceId, amount, reason: "r" };
        const receipt = await creditInvoice(transaction, note, at());
        if (!receipt.credited) throw new Error(receipt.reason);
        return receipt.note.number;
      });
    const made = await Promise.allSettled(
      invoices.flatMap(({ invoice_id }) => [credit(invoice_id, 10n), credit(invoice_id, 1_000n)]),
    );
    const given = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(given.toSorted()).toEqual(upTo(invoices.length).map((number) => `CN-${number}`));
    expect(await numbers("credit_notes")).toEqual(upTo(invoices.length));
  });

  it("are never given twice, and each organisation has its own", async () => {
    const [first, second] = await numbers("invoices");
    await expect(
      scene.pool.query(`update invoices set number = ${first} where number = ${second}`),
    ).rejects.toThrow("invoices_once_numbered");
    const client = await scene.pool.connect();
    await client.query(`
      begin;
      insert into organizations (name) values ('Other');
      insert into customers (org_id, external_id, name) select max(org_id), 'anna', 'Anna' from organizations;
      insert into invoices (org_id, invoice_id, customer_id, kind, status, credit_currency, credits, period_start, period_end, created_at)
        select max(org_id), gen_random_uuid(), 'anna', 'period', 'open', 'ai', 1, '2026-01-01', '2026-02-01', now() from organizations`);
    const { rows } = await client.query("select number from invoices where customer_id = 'anna'");
    await client.query("rollback");
    client.release();
    expect(rows).toEqual([{ number: 1n }]);
  });

  it("are told by verify where one is missing", async () => {
    await scene.pool.query("update document_numbers set last = last + 1 where series = 'credit_note'");
    const { differences } = await verify(scene.database);
    expect(differences).toMatchObject([
      { what: "credit note", subject: "numbers", expected: "1 to 9", received: "8 of 8 up to 8" },
    ]);
    await scene.pool.query("update document_numbers set last = last - 1 where series = 'credit_note'");
  });
});
