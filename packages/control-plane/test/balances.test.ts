import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { readBalances } from "../src/routes/wallets.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { reopenUsage } from "../src/wallets/missing-wallets.ts";
import { openWallets } from "../src/wallets/opening.ts";
import { acme } from "./fixture.ts";
import { explain, recorder } from "./query-plan.ts";
import { createRandom } from "./random.ts";
import { holdWallet } from "./row-lock.ts";
import { openScene, type Scene } from "./scene.ts";

const credit = 1_000_000n;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
});
afterEach(() => scene.close());

const now = () => new Date(scene.clock.now() + 60_000);
const settle = () => settleDue(scene.database, now());

/** What a wallet has left, and what of that is not its own any more, in whole credits. */
async function told(customerId: string, currency = "ai_credits") {
  const found = await readBalances(scene.database, scene.orgId, customerId, new Date());
  const wallet = found?.wallets.find((candidate) => candidate.currency === currency);
  if (wallet === undefined) return undefined;
  const { available, overage_used, postpaid_used, unsettled } = wallet;
  return {
    funds: Number(available - overage_used - postpaid_used) / 1e6,
    unsettled: Number(unsettled) / 1e6,
  };
}

const openBobsWallet = () =>
  scene.database.transaction().execute((transaction) =>
    openWallets(transaction, [{ orgId: scene.orgId, customerId: "bob", currency: "ai_credits" }], now(), {
      kind: "postpaid",
      overageLimit: 0n,
      postpaidLimit: 0n,
    }),
  );

describe("unsettled", () => {
  it("is what a wallet will still be debited, and falls with the debit, not before it", async () => {
    await scene.accept("alice");
    await scene.accept("alice");
    expect(await told("alice")).toEqual({ funds: 100, unsettled: 2 });
    await settle();
    expect(await told("alice")).toEqual({ funds: 98, unsettled: 0 });
  });

  it("is each wallet's own: not of another currency, customer or organisation", async () => {
    await scene.accept("alice", "speech");
    expect(await told("alice", "voice_credits")).toEqual({ funds: 0, unsettled: 2 });
    expect(await told("alice")).toEqual({ funds: 100, unsettled: 0 });
    expect(await readBalances(scene.database, scene.orgId + 1n, "alice", new Date())).toBeUndefined();
  });

  it("has nothing of usage that is never debited: not in CREDITS, or beyond what the wallet can hold", async () => {
    await scene.accept("alice", "seat");
    await scene.accept("alice", "speech");
    expect(await told("alice")).toEqual({ funds: 100, unsettled: 0 });
    const most = 2n ** 63n - 1n;
    await scene.pool.query(
      "update wallets set postpaid_used = $1 where customer_id = 'alice' and kind = 'postpaid'",
      [most],
    );
    await settle();
    expect(await told("alice", "voice_credits")).toMatchObject({ unsettled: 0 });
  });

  it("keeps the usage of a wallet that another transaction holds", async () => {
    await scene.accept("alice");
    const letGo = await holdWallet(scene.pool, "alice");
    expect(await settle()).toBe(0);
    expect(await told("alice")).toEqual({ funds: 100, unsettled: 1 });
    await letGo();
    await settle();
    expect(await told("alice")).toEqual({ funds: 99, unsettled: 0 });
  });

  it("keeps usage whose settlement has failed", async () => {
    await scene.accept("alice");
    await scene.pool.query(
      "alter table ledger_entries add constraint broken check (cause <> 'usage') not valid",
    );
    await settle();
    expect((await scene.pool.query("select from usage_due where failed_at is not null")).rows).toHaveLength(
      1,
    );
    expect(await told("alice")).toEqual({ funds: 100, unsettled: 1 });
  });

  it("has the usage that has waited for its wallet from the moment it is open until it is debited", async () => {
    for (let count = 0; count < 3; count++) await scene.accept("bob");
    await settle();
    await scene.accept("bob");
    expect(await told("bob")).toBeUndefined();
    await openBobsWallet();
    expect(await told("bob")).toEqual({ funds: 0, unsettled: 4 });
    await settle();
    expect(await told("bob")).toEqual({ funds: -1, unsettled: 3 });
    expect(await reopenUsage(scene.database)).toBe(true);
    expect(await told("bob")).toEqual({ funds: -1, unsettled: 3 });
    await settle();
    expect(await told("bob")).toEqual({ funds: -4, unsettled: 0 });
  });

  it("outlives the end of a period, which resets what is on the bill", async () => {
    await scene.accept("alice", "speech");
    await settle();
    scene.clock.time = Date.UTC(2026, 1, 1);
    await scene.accept("alice", "speech");
    expect(await told("alice", "voice_credits")).toEqual({ funds: -2, unsettled: 2 });
    const closing = {
      database: scene.database,
      defaults: defaultPeriodSettings,
      now: new Date(Date.UTC(2026, 1, 2)),
      actor: "test",
    };
    expect((await closePeriods(closing)).invoices).toBe(1);
    expect(await told("alice", "voice_credits")).toEqual({ funds: 0, unsettled: 2 });
  });

  it("adds up beyond what a column holds", async () => {
    await scene.accept("alice");
    const most = 2n ** 63n - 1n;
    await scene.pool.query(
      `insert into usage_due (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, due_at)
       select org_id, gen_random_uuid(), agent_id, indicator, customer_id, currency, $1, received_at, due_at
         from usage_due, generate_series(1, 2)`,
      [most],
    );
    const found = await readBalances(scene.database, scene.orgId, "alice", new Date());
    expect(found?.wallets[0]?.unsettled).toBe(2n * most + credit);
  });

  it("is read out of its index alone, whatever else there is", async () => {
    await scene.accept("alice");
    await scene.pool.query(
      `insert into usage_due (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, due_at)
         select org_id, gen_random_uuid(), agent_id, indicator, 'bob', currency, amount, received_at, due_at
           from usage_due, generate_series(1, 5000);
       insert into usage_outcomes (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, settled_at, outcome)
         select org_id, usage_id, agent_id, indicator, 'alice', currency, amount, received_at, received_at, 'free' from usage_due`,
    );
    await scene.pool.query("vacuum analyze");
    const { database, queries } = recorder(scene.pool);
    await readBalances(database, scene.orgId, "alice", new Date());
    expect(queries.map(({ sql }) => sql)).toEqual([expect.stringContaining("unsettled_usage(")]);
    // What a function does is not in the plan of its caller.
    const { rows } = await scene.pool.query<{ body: string }>(
      "select 'select ' || substring(prosrc from 'return (.*);') as body from pg_proc where proname = 'unsettled_usage'",
    );
    const plan = await explain(scene.pool, {
      sql: rows[0]?.body ?? "",
      parameters: [scene.orgId, "alice", "ai_credits"],
    });
    expect([plan.rowsOf("usage_due"), plan.rowsOf("usage_outcomes")]).toEqual([1, 0]);
    expect(plan.scanned).toEqual([]);
  });
});

describe("funds less what is unsettled", () => {
  it("never rise, and have all that was accepted before they were asked for, while usage comes in and is settled", async () => {
    const seed = Number(process.env.CREDITGATE_SEED ?? "20261121");
    const random = createRandom(seed);
    const posts = 300;
    let started = 0;
    let accepted = 0;
    let settling = true;

    const post = async () => {
      while (started < posts) {
        started += 1;
        await scene.accept("alice");
        accepted += 1;
      }
    };
    const settler = async () => {
      while (settling) await settleDue(scene.database, now(), 1 + random.integer(20));
    };
    const wrong: string[] = [];
    let reads = 0;
    const reader = async () => {
      let last = Number.POSITIVE_INFINITY;
      while (settling) {
        const before = accepted;
        const { funds = Number.NaN, unsettled = Number.NaN } = (await told("alice")) ?? {};
        const worth = funds - unsettled;
        const between = worth <= 100 - before && worth >= 100 - started;
        if (!between || worth > last)
          wrong.push(`${worth} after ${last}, of ${before} accepted and ${started} sent`);
        last = worth;
        reads += 1;
      }
    };
    const others = Promise.all([settler(), settler(), settler(), ...Array.from({ length: 4 }, reader)]);
    await Promise.all(Array.from({ length: 8 }, post));
    while ((await told("alice"))?.unsettled !== 0);
    settling = false;
    await others;
    expect(wrong, `seed ${seed}, ${reads} readings`).toEqual([]);
    expect(await told("alice")).toEqual({ funds: 100 - posts, unsettled: 0 });
  });
});
