import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClosedPeriods, closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { verify } from "../src/verification/wallets.ts";
import { closeCall, openCall } from "../src/voice/call.ts";
import { adjust } from "../src/wallets/top-up.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const midnight = Date.UTC(2026, 1, 1);
const customers = ["anna", "ben", "cleo"];

/** Three postpaid customers, a minute before the end of January 2026. */
let scene: Scene;
beforeEach(async () => {
  scene = await openScene({
    ...acme,
    customers: customers.map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "postpaid", limit: 0 }],
    })),
  });
  scene.clock.time = midnight - 60_000;
});
afterEach(() => scene.close());

const close = (now = midnight + 60_000, graceMs = 0): Promise<ClosedPeriods> =>
  closePeriods({
    database: scene.database,
    defaults: defaultPeriodSettings,
    now: new Date(now),
    graceMs,
    actor: "test",
  });

const settle = () => settleDue(scene.database, new Date(scene.clock.now() + 60_000));

async function use(customer: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await scene.accept(customer);
}

/** Whole credits on each invoice of a customer, the oldest first. */
async function invoiced(customer: string): Promise<number[]> {
  const rows = await scene.database
    .selectFrom("invoices")
    .select("credits")
    .where("customer_id", "=", customer)
    .orderBy("period_end")
    .execute();
  return rows.map(({ credits }) => Number(credits) / 1e6);
}

async function used(customer: string): Promise<number> {
  const wallet = await scene.database
    .selectFrom("wallets")
    .select("postpaid_used")
    .where("customer_id", "=", customer)
    .executeTakeFirstOrThrow();
  return Number(wallet.postpaid_used) / 1e6;
}

async function expectBooksRight(): Promise<void> {
  expect((await verify(scene.database)).differences).toEqual([]);
}

describe("the invoice of a period (1, 3)", () => {
  it("holds exactly what was received before its end, however late it is made; the rest stays in postpaid_used", async () => {
    await use("anna", 3);
    scene.clock.time = midnight;
    await use("anna", 40);
    await settle();
    expect(await close()).toEqual({ invoices: 1, waiting: 0, failures: 0 });
    expect([await invoiced("anna"), await used("anna")]).toEqual([[3], 40]);
    expect(await close(Date.UTC(2026, 2, 1))).toMatchObject({ invoices: 1 });
    expect([await invoiced("anna"), await used("anna")]).toEqual([[3, 40], 0]);
    await expectBooksRight();
  });

  it("waits until all that was received before its end is settled, and not for what came after", async () => {
    await use("anna", 3);
    expect(await close()).toEqual({ invoices: 0, waiting: 1, failures: 0 });
    await settle();
    scene.clock.time = midnight;
    await use("anna", 40);
    expect(await close()).toEqual({ invoices: 1, waiting: 0, failures: 0 });
    await settle();
    expect([await invoiced("anna"), await used("anna")]).toEqual([[3], 40]);
    await expectBooksRight();
  });

  it("waits for requests that came before its end and are being stored; later ones go on the next", async () => {
    await use("anna", 3);
    await settle();
    expect(await close(midnight + 14_999, 15_000)).toMatchObject({ invoices: 0 });
    expect(await close(midnight + 15_000, 15_000)).toMatchObject({ invoices: 1 });
    await use("anna", 2);
    await settle();
    expect([await invoiced("anna"), await used("anna")]).toEqual([[3], 2]);
    await close(Date.UTC(2026, 2, 1));
    expect(await invoiced("anna")).toEqual([3, 2]);
    await expectBooksRight();
  });

  it("holds calls that ended before it, not those that ended after", async () => {
    const key = (sessionId: string) => ({ orgId: scene.orgId, sessionId });
    const parties = { agentId: "chat", customerId: "anna" };
    const call = (sessionId: string, end: number) =>
      scene.database.transaction().execute(async (transaction) => {
        const at = new Date(end);
        await openCall(transaction, key(sessionId), parties, new Date(midnight - 60_000));
        const closing = { indicator: "message", totalDuration: 1, hash: "0".repeat(64), at, dueAt: at };
        expect(await closeCall(transaction, key(sessionId), closing)).toMatchObject({ accepted: true });
      });
    await call("before", midnight - 1);
    await call("after", midnight);
    scene.clock.time = midnight;
    await settle();
    await close();
    expect([await invoiced("anna"), await used("anna")]).toEqual([[1], 1]);
    await expectBooksRight();
  });

  it("is exact while workers settle and close at once", async () => {
    for (const [index, customer] of customers.entries()) await use(customer, 20 + index);
    scene.clock.time = midnight;
    for (const customer of customers) await use(customer, 15);
    const later = new Date(midnight + 60_000);
    await Promise.all([
      ...Array.from({ length: 4 }, async () => {
        while ((await settleDue(scene.database, later, 7)) > 0);
      }),
      ...Array.from({ length: 4 }, async () => {
        while ((await close()).waiting > 0);
      }),
    ]);
    while ((await settle()) > 0);
    await close();
    for (const [index, customer] of customers.entries()) {
      expect([await invoiced(customer), await used(customer)]).toEqual([[20 + index], 15]);
    }
    await expectBooksRight();
  });

  it("is reduced by what is given back before it is made, and the next one by what is left of that", async () => {
    await use("anna", 3);
    await use("ben", 3);
    scene.clock.time = midnight;
    await use("anna", 10);
    await use("ben", 10);
    await settle();
    const refund = (customerId: string, amount: bigint) =>
      scene.database.transaction().execute((transaction) =>
        adjust(
          transaction,
          {
            orgId: scene.orgId,
            customerId,
            currency: "ai_credits",
            cause: "refund",
            reason: "outage",
            amount,
          },
          new Date(midnight + 1_000),
        ),
      );
    await refund("anna", 2_000_000n);
    await refund("ben", 5_000_000n);
    await close();
    expect([await invoiced("anna"), await used("anna")]).toEqual([[1], 10]);
    expect([await invoiced("ben"), await used("ben")]).toEqual([[], 8]);
    await expectBooksRight();
    await close(Date.UTC(2026, 2, 1));
    expect([await invoiced("anna"), await invoiced("ben")]).toEqual([[1, 10], [8]]);
    await expectBooksRight();
  });

  it("ends where usage is not settled yet when it is closed early", async () => {
    await use("anna", 3);
    await settle();
    scene.clock.time += 1_000;
    await use("anna", 4);
    scene.clock.time += 1_000;
    const now = new Date(scene.clock.now());
    const early = { database: scene.database, defaults: defaultPeriodSettings, early: true, actor: "test" };
    expect(await closePeriods({ ...early, now })).toMatchObject({ invoices: 1, waiting: 0 });
    await settle();
    expect([await invoiced("anna"), await used("anna")]).toEqual([[3], 4]);
    await close();
    expect(await invoiced("anna")).toEqual([3, 4]);
    await expectBooksRight();
  });
});

describe("verify", () => {
  it("finds an invoice with usage from after its end", async () => {
    await use("anna", 3);
    await settle();
    await close();
    await scene.pool.query(
      "set session_replication_role = replica; update ledger_entries set accrued_at = '2026-02-01' where cause = 'usage' and entry_no = (select max(entry_no) from ledger_entries where cause = 'usage')",
    );
    expect((await verify(scene.database)).differences).toMatchObject([
      { what: "invoice", expected: "2000000", received: "3000000" },
    ]);
  });
});
