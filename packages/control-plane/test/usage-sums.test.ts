import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settleDue } from "../src/settlement/settlement.ts";
import { verify } from "../src/verification/wallets.ts";
import { reopen } from "../src/wallets/missing-wallets.ts";
import { acme } from "./fixture.ts";
import { delayMs, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
});
afterEach(() => scene.close());

const due = () => new Date(scene.clock.now() + delayMs);
const rows = async (text: string) => (await scene.pool.query<Record<string, unknown>>(text)).rows;
const hours = () => rows("select hour, indicator, currency, events, credits from usage_hours order by 1, 2");
const settle = async () => {
  while ((await settleDue(scene.database, due(), 3)) > 0);
};

describe("the sums of usage", () => {
  it("are those of the hour in which it was received, whenever it is settled", async () => {
    await scene.accept("alice", "message", 1_000);
    scene.clock.time += 59 * 60_000;
    await scene.accept("bob", "message");
    scene.clock.time += 60_000;
    await scene.accept("alice", "seat");
    await settle();
    expect(await hours()).toEqual([
      {
        hour: new Date("2026-01-01T00:00Z"),
        indicator: "message",
        currency: "ai_credits",
        events: 2n,
        credits: "2500000",
      },
      { hour: new Date("2026-01-01T01:00Z"), indicator: "seat", currency: "", events: 1n, credits: "0" },
    ]);
    expect(
      await rows("select day::text, customer_id, events from customer_usage_days order by 2, indicator"),
    ).toEqual([
      { day: "2026-01-01", customer_id: "alice", events: 1n },
      { day: "2026-01-01", customer_id: "alice", events: 1n },
      { day: "2026-01-01", customer_id: "bob", events: 1n },
    ]);
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it("count usage once that waited for its wallet and is settled again", async () => {
    await scene.accept("bob");
    await settle();
    await scene.database.transaction().execute((transaction) => reopen(transaction, sql`true`, 10));
    await settle();
    expect(await hours()).toMatchObject([{ events: 1n }]);
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it("are compared with the events by verify, which names what differs", async () => {
    await scene.accept("alice");
    await settle();
    await scene.pool.query("update usage_days set credits = credits + 1");
    await scene.pool.query("update customer_usage_days set customer_id = 'bob'");
    const { differences } = await verify(scene.database);
    expect(differences.map(({ what, expected, received }) => [what, expected, received])).toEqual([
      ["sum", "(1,1000000)", "none"],
      ["sum", "none", "(1,1000000)"],
      ["sum", "(1,1000000)", "(1,1000001)"],
      // The month of alice, who has no days, and that of bob, who has: of all agents, and of the indicator.
      ["sum", "none", "(1,1000000)"],
      ["sum", "none", "(1,1000000)"],
      ["sum", "(1,1000000)", "none"],
      ["sum", "(1,1000000)", "none"],
    ]);
  });

  it("hold more than a column of amounts does", async () => {
    await scene.accept("alice");
    await scene.pool.query("update usage_due set amount = 9000000000000000000");
    await scene.accept("alice");
    await scene.pool.query("update usage_due set amount = 9000000000000000000");
    await settle();
    expect(await hours()).toMatchObject([{ events: 2n, credits: "18000000000000000000" }]);
  });
});
