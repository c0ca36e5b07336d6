import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { verify } from "../src/verification/wallets.ts";
import { reopenUsage } from "../src/wallets/missing-wallets.ts";
import { openWallets } from "../src/wallets/opening.ts";
import { openAdminScene } from "./admin-scene.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
});
afterEach(() => scene.close());

const now = () => new Date(scene.clock.now() + 60_000);
const settle = () => settleDue(scene.database, now());

/** Opens Bob's wallet for messages. */
const open = () =>
  scene.database.transaction().execute((transaction) =>
    openWallets(transaction, [{ orgId: scene.orgId, customerId: "bob", currency: "ai_credits" }], now(), {
      kind: "postpaid",
      overageLimit: 0n,
      postpaidLimit: 0n,
    }),
  );

async function outcomes(): Promise<unknown> {
  const { rows } = await scene.pool.query(
    "select coalesce(outcome, 'unsettled') as outcome, count(*)::int from usage_reports left join usage_settlements using (org_id, usage_id) where customer_id = 'bob' group by 1",
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

async function used(): Promise<bigint | undefined> {
  const { rows } = await scene.pool.query<{ postpaid_used: bigint }>(
    "select postpaid_used from wallets where customer_id = 'bob'",
  );
  return rows[0]?.postpaid_used;
}

describe("usage without a wallet", () => {
  it("is settled when a wallet in its currency opens, in batches, once; other usage is left alone", async () => {
    for (let count = 0; count < 5; count++) await scene.accept("bob");
    await scene.accept("bob", "yen");
    await settle();
    expect(await outcomes()).toEqual({ wallet_missing: 6 });
    await open();
    for (const left of [true, true, true, false]) expect(await reopenUsage(scene.database, 2)).toBe(left);
    while ((await settle()) > 0);
    expect([await outcomes(), await used()]).toEqual([{ accrued: 5, wallet_missing: 1 }, 5_000_000n]);
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it("is not overlooked where it is settled while the wallet is being opened", async () => {
    for (let round = 0; round < 10; round++) {
      await scene.pool.query(
        "delete from wallet_openings; set session_replication_role = replica; delete from ledger_entries where customer_id = 'bob'; delete from wallets where customer_id = 'bob'; delete from usage_reports where customer_id = 'bob'; delete from usage_due; delete from usage_outcomes; reset session_replication_role",
      );
      for (let count = 0; count < 6; count++) await scene.accept("bob");
      await Promise.all([
        ...Array.from({ length: 4 }, () => settleDue(scene.database, now(), 2)),
        open(),
        ...Array.from({ length: 2 }, () => settleDue(scene.database, now(), 2)),
      ]);
      while ((await reopenUsage(scene.database)) || (await settle()) > 0);
      expect([await outcomes(), await used()]).toEqual([{ accrued: 6 }, 6_000_000n]);
    }
  });

  it("waits for the opening of its wallet to end: it is not noted as missing meanwhile", async () => {
    await scene.accept("bob");
    await scene.database.transaction().execute(async (transaction) => {
      await openWallets(
        transaction,
        [{ orgId: scene.orgId, customerId: "bob", currency: "ai_credits" }],
        now(),
      );
      expect(await settle()).toBe(0);
      expect(await outcomes()).toEqual({ unsettled: 1 });
    });
    await settle();
    expect(await outcomes()).toEqual({ debited: 1 });
  });
});

describe("a running control plane", () => {
  it("lists and counts usage that nobody pays for, and bills it when an administrator opens the wallet", async () => {
    const { plane, admin, path, wallet } = await openAdminScene();
    const connection = connect(plane.databaseUrl);
    try {
      const customer = await admin.newCustomer(plane);
      for (let count = 0; count < 3; count++) {
        await caller(plane)("POST", "/api/v2/usage", {
          body: usageOf({ customerId: customer, rawUsage: {} }),
        });
      }
      await plane.settled();
      const metrics = createMetrics({
        database: connection.database,
        pools: {},
        clock: Date,
        periodSettings: defaultPeriodSettings,
      });
      expect(await metrics.render()).toContain('creditgate_usage_unbilled{reason="wallet_missing"} 3\n');
      expect((await admin.get(`${path}/unbilled-usage`)).json).toEqual({
        usage: [
          {
            customerId: customer,
            creditCurrencyKey: "ai_credits",
            reason: "wallet_missing",
            events: 3,
            credits: 3,
            since: "2026-01-01T00:00:00.000Z",
          },
        ],
        next: null,
      });
      await admin.post(`${path}/customers/${customer}/wallets`, {
        kind: "prepaid",
        creditCurrencyKey: "ai_credits",
      });
      await plane.settled();
      expect(await wallet(customer)).toMatchObject({ overage_used: 3 });
      expect((await admin.get(`${path}/unbilled-usage`)).json.usage).toEqual([]);
      expect(await metrics.render()).toContain('creditgate_usage_unbilled{reason="wallet_missing"} 0\n');
    } finally {
      await connection.close();
      await plane.stop();
    }
  });
});
