import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate, migrations } from "../src/database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { waitsForLock } from "./database-activity.ts";

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.databaseUrl);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const upTo = (last: number) =>
  migrate(
    connection.pool,
    migrations.filter(({ version }) => version <= last),
  );

/** An ID that tells its tables apart. */
const id = (kind: number, number: number) =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** An order with its invoice, as the version before makes them, on a day of January. */
const invoice = (org: number, number: number, day: number) => `
  insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, created_at)
    values (${org}, '${id(1, number)}', 'anna', 'Plan', '2026-01-01', 'plan', 'pending', '2026-01-${day}Z');
  insert into order_line_items (org_id, order_id, position, agent_id, fee_amount, fee_currency)
    values (${org}, '${id(1, number)}', 0, 'chat', 100, 'EUR');
  insert into invoices (org_id, invoice_id, customer_id, order_id, kind, status, amount, currency, created_at)
    values (${org}, '${id(2, number)}', 'anna', '${id(1, number)}', 'order', 'open', 100, 'EUR', '2026-01-${day}Z');`;

const pay = (number: number) => `
  update orders set status = 'active', activated_at = now() where order_id = '${id(1, number)}';
  update invoices set status = 'paid', paid_at = now() where invoice_id = '${id(2, number)}';`;

const credit = (number: number, invoiceNumber: number, day: number) => `
  insert into credit_notes (org_id, credit_note_id, invoice_id, customer_id, amount, currency, reason, created_at)
    values (1, '${id(3, number)}', '${id(2, invoiceNumber)}', 'anna', 10, 'EUR', 'r', '2026-01-${day}Z');
  update invoices set credited_amount = credited_amount + 10 where invoice_id = '${id(2, invoiceNumber)}';`;

async function numbers(org: number): Promise<readonly unknown[]> {
  const { rows } = await connection.pool.query(
    `select right(invoice_id::text, 1)::integer as invoice, number, status from invoices
      where org_id = ${org} order by number, invoice_id`,
  );
  return rows.map(({ invoice: made, number, status }) => [made, number && Number(number), status]);
}

describe("the migration that numbers documents", () => {
  it("numbers what is there by its date, each organisation by itself, and goes on after it", async () => {
    await upTo(39);
    await connection.pool.query(`
      insert into organizations (name) values ('Acme'), ('Other');
      insert into agents (org_id, agent_id, external_id, name) values (1, 'chat', 'c', 'Chat'), (2, 'chat', 'c', 'Chat');
      insert into customers (org_id, external_id, name) values (1, 'anna', 'Anna'), (2, 'anna', 'Anna');
      ${invoice(1, 1, 20)} ${invoice(1, 2, 10)} ${invoice(1, 4, 15)} ${invoice(1, 3, 15)} ${invoice(2, 5, 12)}
      ${pay(1)} ${pay(2)} ${credit(1, 1, 28)} ${credit(2, 2, 27)}`);
    await upTo(40);
    // Made before the step that numbers the others, by whichever version: after them.
    await connection.pool.query(invoice(1, 6, 21));
    expect(await numbers(1)).toEqual([
      [6, 5, "open"],
      [1, null, "paid"],
      [2, null, "paid"],
      [3, null, "open"],
      [4, null, "open"],
    ]);
  });

  it("numbers one that is being paid when the payment is done, and keeps the payment", async () => {
    const payment = await connection.pool.connect();
    await payment.query(`begin; ${pay(3)}`);
    const numbered = upTo(41);
    await expect.poll(() => waitsForLock(connection.pool), { interval: 5 }).toBe(1);
    await payment.query("commit");
    payment.release();
    await numbered;
    expect(await numbers(1)).toEqual([
      [2, 1, "paid"],
      [3, 2, "paid"],
      [4, 3, "open"],
      [1, 4, "paid"],
      [6, 5, "open"],
    ]);
    expect(await numbers(2)).toEqual([[5, 1, "open"]]);
    const { rows } = await connection.pool.query(
      "select right(credit_note_id::text, 1) as note, number from credit_notes order by number",
    );
    expect(rows).toEqual([
      { note: "2", number: 1n },
      { note: "1", number: 2n },
    ]);
  });

  it("takes a payment afterwards, gives the next number to the next invoice, and none twice", async () => {
    await migrate(connection.pool);
    await connection.pool.query(`${pay(4)} ${invoice(1, 7, 1)} ${invoice(2, 8, 1)}`);
    expect((await numbers(1)).slice(2)).toEqual([
      [4, 3, "paid"],
      [1, 4, "paid"],
      [6, 5, "open"],
      [7, 6, "open"],
    ]);
    expect((await numbers(2)).at(-1)).toEqual([8, 2, "open"]);
    expect((await verify(connection.database)).differences).toEqual([]);
    await expect(
      connection.pool.query(`update invoices set number = 1 where invoice_id = '${id(2, 7)}'`),
    ).rejects.toThrow("invoices_once_numbered");
  });
});
