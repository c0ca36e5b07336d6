import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClosingOptions, closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { startPeriodWorker } from "../src/periods/worker.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const names = Array.from({ length: 12 }, (_, index) => `customer-${index}`);

/** Twelve postpaid customers, each of whom owes as many messages as its number. It is New Year 2026, UTC. */
let scene: Scene;
beforeEach(async () => {
  scene = await openScene({
    ...acme,
    customers: names.map((externalId, index) => ({
      externalId,
      name: externalId,
      wallets: [
        { currency: "ai_credits", kind: "postpaid", used: index, limit: 0 },
        { currency: "yen_credits", kind: "prepaid", available: 7 },
      ],
    })),
  });
});
afterEach(() => scene.close());

/** Closes what is due; resolves how many invoices. */
const close = async (now: string, options: Partial<ClosingOptions> = {}): Promise<number> =>
  (
    await closePeriods({
      database: scene.database,
      defaults: defaultPeriodSettings,
      now: new Date(now),
      actor: "test",
      ...options,
    })
  ).invoices;

const invoices = () =>
  scene.database
    .selectFrom("invoices")
    .selectAll()
    .where("kind", "=", "period")
    .orderBy("period_end")
    .orderBy("credits")
    .execute();

async function used(): Promise<Record<string, bigint>> {
  const rows = await scene.database
    .selectFrom("wallets")
    .select(["customer_id", "postpaid_used"])
    .where("kind", "=", "postpaid")
    .execute();
  return Object.fromEntries(rows.map(({ customer_id, postpaid_used }) => [customer_id, postpaid_used]));
}

/** A message, settled now. */
async function message(customer: string): Promise<void> {
  await scene.accept(customer);
  await settleDue(scene.database, new Date(scene.clock.now() + 60_000));
}

const nothingUsed = Object.fromEntries(names.map((name) => [name, 0n]));

describe("closePeriods (1, 3: postpaid accrual, invoice generated at period end)", {
  timeout: 30_000,
}, () => {
  it("invoices what each postpaid wallet has accrued, and resets postpaid_used; no use, no invoice", async () => {
    expect(await close("2026-01-31T23:59:59.999Z")).toBe(0);
    expect(await close("2026-02-01T00:00:00Z")).toBe(11);
    expect(await used()).toEqual(nothingUsed);
    expect((await invoices()).map(({ credits }) => credits)).toEqual(
      Array.from({ length: 11 }, (_, index) => BigInt(index + 1) * 1_000_000n),
    );
    expect((await invoices())[0]).toMatchObject({
      customer_id: "customer-1",
      credit_currency: "ai_credits",
      status: "open",
      amount: null,
      period_start: new Date("2026-01-01T00:00:00Z"),
      period_end: new Date("2026-02-01T00:00:00Z"),
    });
    const { rows } = await scene.pool.query(
      "select count(*) from ledger_entries where cause = 'period' and postpaid_used < 0",
    );
    expect(rows).toEqual([{ count: 11n }]);
  });

  it("invoices each wallet once, by 8 workers at once, in small batches, while usage is being settled", async () => {
    await Promise.all(names.map((name) => scene.accept(name)));
    const closed = await Promise.all([
      ...Array.from({ length: 8 }, () => close("2026-02-01T00:00:00Z", { batchSize: 3 })),
      ...Array.from({ length: 4 }, () => settleDue(scene.database, new Date("2026-02-01"), 2).then(() => 0)),
    ]);
    while ((await settleDue(scene.database, new Date("2026-02-01"))) > 0);
    const found = await invoices();
    expect(closed.reduce((sum, count) => sum + count)).toBe(found.length);
    expect(new Set(found.map(({ customer_id }) => customer_id)).size).toBe(found.length);
    const invoiced = found.reduce((sum, { credits }) => sum + (credits ?? 0n), 0n);
    const left = Object.values(await used()).reduce((sum, amount) => sum + amount);
    // 0 + 1 + … + 11, and one message each: on this invoice, or on the next.
    expect(invoiced + left).toBe(66_000_000n + 12_000_000n);
  });

  it("leaves no trace of a closing that fails half way, and closes it later", async () => {
    const before = await used();
    await scene.pool.query("alter table invoices add constraint broken check (false)");
    expect(await close("2026-02-01T00:00:00Z")).toBe(0);
    expect([await used(), await invoices()]).toEqual([before, []]);
    await scene.pool.query("alter table invoices drop constraint broken");
    expect(await close("2026-02-01T00:00:00Z")).toBe(11);
  });

  it("does not invoice twice when the clock is set back, nor when it goes on from there", async () => {
    expect(await close("2026-03-01T00:00:00Z")).toBe(11);
    await message("customer-0");
    for (const now of ["2026-01-15", "2026-02-01", "2026-02-15", "2026-03-01", "2026-03-31"]) {
      expect(await close(now)).toBe(0);
    }
    expect((await used())["customer-0"]).toBe(1_000_000n);
    expect(await close("2026-04-01")).toBe(1);
    expect((await invoices()).at(-1)).toMatchObject({
      customer_id: "customer-0",
      period_start: new Date("2026-03-01"),
      period_end: new Date("2026-04-01"),
    });
  });

  it("makes one invoice of the months that a clock jumps over", async () => {
    expect(await close("2026-07-09")).toBe(11);
    const [first] = await invoices();
    expect(first).toMatchObject({ period_start: new Date("2026-01-01"), period_end: new Date("2026-07-01") });
  });

  it("closes the running period early if it is asked to, and the rest of it when it ends", async () => {
    expect(await close("2026-01-15T12:00:00Z", { early: true })).toBe(11);
    expect(await close("2026-01-15T12:00:00Z", { early: true })).toBe(0);
    await message("customer-3");
    expect(await close("2026-02-01")).toBe(1);
    expect((await invoices()).at(-1)).toMatchObject({
      period_start: new Date("2026-01-15T12:00:00Z"),
      period_end: new Date("2026-02-01"),
    });
  });

  it("closes those of one organisation only if it is asked to", async () => {
    expect(await close("2026-02-01", { orgId: scene.orgId + 1n })).toBe(0);
    expect(await close("2026-02-01", { orgId: scene.orgId })).toBe(11);
  });

  it("invoices in money where the currency has a price, rounded up, and ties it to the customer's order", async () => {
    await scene.pool.query(
      "insert into unit_prices select org_id, currency, 1, 'epoch', 0.333, 'EUR' from currencies",
    );
    await scene.pool.query(
      `insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, created_at, activated_at)
       values ($1, '00000000-0000-4000-8000-000000000001', 'customer-1', 'Plan', '2026-01-01', 'plan', 'active', now(), now())`,
      [scene.orgId],
    );
    await close("2026-02-01");
    expect((await invoices()).slice(0, 3)).toMatchObject([
      { amount: 1n, currency: "EUR", order_id: "00000000-0000-4000-8000-000000000001" },
      { amount: 1n, currency: "EUR", order_id: null },
      { amount: 1n, currency: "EUR" },
    ]);
    expect((await invoices()).at(-1)).toMatchObject({ credits: 11_000_000n, amount: 4n });
  });
});

const graceMs = 5_000;

describe("startPeriodWorker", () => {
  it("closes periods as they end, tells an error once, and stops when it is told to", async () => {
    const errors: unknown[] = [];
    await scene.pool.query("alter table wallets rename to unreadable");
    scene.clock.time = Date.UTC(2026, 1, 1) + graceMs;
    const worker = startPeriodWorker({
      database: scene.database,
      clock: scene.clock,
      defaults: defaultPeriodSettings,
      pollMs: 10,
      graceMs,
      onError: (error) => errors.push(error),
    });
    await expect.poll(() => errors.length).toBe(1);
    await scene.pool.query("alter table unreadable rename to wallets");
    await expect.poll(used).toEqual(nothingUsed);
    await message("customer-5");
    scene.clock.time = Date.UTC(2026, 2, 1) + graceMs;
    await expect.poll(async () => (await invoices()).length).toBe(12);
    await worker.stop();
    expect(errors).toHaveLength(1);
  });
});
