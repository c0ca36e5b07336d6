import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccountState } from "@creditgate/fleet";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { World } from "./world.ts";

const patience = { timeout: 30_000, interval: 10 };
const lagMs = 60_000;
const abandonMs = 90_000;

/** A promise, and what resolves it. */
function signal(): { readonly promise: Promise<void>; give(): void } {
  let give = () => {};
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}

let customers = 0;
/** Each test has a wallet of its own, and so an object of its own. */
let alice: string;
beforeEach(() => {
  alice = `alice ${customers++}`;
});

describe("an object that is evicted", () => {
  const world = new World({ gate: { settlementLagMs: lagMs, maxStaleMs: 2 * lagMs }, abandonMs });
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  afterEach(async () => {
    Object.assign(world.service.manners, {
      extended: true,
      honoursKeys: true,
      refuses: undefined,
      refusalCode: "amount_out_of_range",
      hangsUp: false,
      waits: undefined,
    });
    await world.object("clock", "shift", 0);
  });

  /** Work that is delivered: from now on the service is known to honour keys. */
  async function beKnown(customerId: string): Promise<void> {
    expect(await world.begin("known", customerId, 1)).toBe("admitted");
    await world.end("known", 1);
    await world.until(customerId, ({ queued }) => queued === 0);
  }

  it("still has what was held, and takes the usage for it", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 7)).toBe("admitted");
    await world.evict(alice);
    expect(await world.begin("b", alice, 7)).toBe("insufficient_credits");
    expect(await world.begin("c", alice, 3)).toBe("admitted");
    await world.evict(alice);
    await world.end("a", 5);
    await world.release("c");
    await world.until(alice, ({ queued, held }) => queued === 0 && held === 0);
    expect(world.service.spent(alice)).toBe(5);
    expect(await world.begin("d", alice, 6)).toBe("insufficient_credits");
    expect(await world.begin("d", alice, 5)).toBe("admitted");
  });

  it("counts acknowledged usage anew, although the clock of the next machine is ahead by more than the lag", async () => {
    Object.assign(world.service.manners, { extended: false, lagMs: 3_600_000 });
    world.service.give(alice, 10);
    // The first one alone cannot say of which kind the wallet is.
    world.service.manners.extended = true;
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    world.service.manners.extended = false;
    await world.end("a", 6);
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
    await world.object(alice, "shift", 2 * lagMs);
    await world.evict(alice);
    // The balance is 10 still: the service has not debited what it took a moment ago.
    expect(await world.begin("b", alice, 6)).toBe("insufficient_credits");
    expect(await world.begin("c", alice, 4)).toBe("admitted");
  });

  it("does not go back in time on a machine whose clock is behind", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    await world.end("a", 6);
    await world.until(alice, ({ queued }) => queued === 0);
    await world.object(alice, "shift", -lagMs);
    await world.evict(alice);
    expect(await world.begin("b", alice, 6)).toBe("insufficient_credits");
    expect(await world.begin("c", alice, 4)).toBe("admitted");
  });

  it("forgets the balance request that was on its way, and keeps nobody waiting for it", async () => {
    world.service.give(alice, 10);
    const { promise, give } = signal();
    world.service.manners.waits = promise;
    const outcome = world.begin("a", alice, 7);
    await vi.waitUntil(() => world.service.balances.includes(alice), patience);
    world.service.manners.waits = undefined;
    await world.evict(alice);
    // The same call again, by the Worker itself: with the same work, so that it is held once.
    expect(await outcome).toBe("admitted");
    give();
    expect(await world.status(alice)).toMatchObject({ held: 7, works: 1 });
  });

  it("sends again what was on its way, with the same key, and has it billed once", async () => {
    world.service.give(alice, 10);
    await beKnown(alice);
    expect(await world.begin("a", alice, 7)).toBe("admitted");
    const { promise, give } = signal();
    world.service.manners.waits = promise;
    await world.end("a", 7);
    const spent = () => world.service.spent(alice);
    await vi.waitUntil(() => spent() === 8, patience);
    await world.evict(alice);
    world.service.manners.waits = undefined;
    const posts = world.service.posts.length;
    await world.object(alice, "ring");
    give();
    await world.until(alice, ({ queued }) => queued === 0);
    expect(world.service.posts).toHaveLength(posts + 1);
    expect(spent()).toBe(8);
  });

  it("parks what was on its way to a service that is not known to honour keys, and counts it", async () => {
    world.service.manners.honoursKeys = false;
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    const { promise, give } = signal();
    world.service.manners.waits = promise;
    await world.end("a", 6);
    const spent = () => world.service.spent(alice);
    await vi.waitUntil(() => spent() === 6, patience);
    await world.evict(alice);
    give();
    world.service.manners.waits = undefined;
    expect(await world.begin("b", alice, 5)).toBe("insufficient_credits");
    expect(await world.status(alice)).toMatchObject({ queued: 0, parked: 1 });
    expect(spent()).toBe(6);
    // An operator finds it at the service, and gives it up here.
    const aside = (await world.object(alice, "aside")) as readonly {
      readonly report: { readonly id: string };
    }[];
    expect(aside).toHaveLength(1);
    expect(
      await world.object(
        alice,
        "resolve",
        aside.map(({ report }) => report.id),
        "drop",
      ),
    ).toBe(1);
    expect(await world.status(alice)).toMatchObject({ queued: 0, parked: 0, unconfirmed: 0 });
    expect(spent()).toBe(6);
  });

  it("takes usage once that is handed over twice, also after it was delivered", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 7)).toBe("admitted");
    await world.end("a", 7);
    await world.until(alice, ({ queued }) => queued === 0);
    const [row] = (await world.object(
      alice,
      "query",
      "SELECT body, entry, amount FROM creditgate_report ORDER BY position",
    )) as {
      readonly body: string;
      readonly entry: string;
      readonly amount: number;
    }[];
    // Longer ago than the settlement lag.
    await world.object(alice, "shift", 2 * lagMs);
    expect(await world.begin("b", alice, 1)).toBe("admitted");
    await world.end("b", 1);
    await world.until(alice, ({ queued }) => queued === 0);
    const report = { ...JSON.parse(row?.body ?? ""), entry: { id: row?.entry, amount: row?.amount } };
    await world.evict(alice);
    const posts = world.service.posts.length;
    const terms = { settlementLagMs: lagMs };
    const again = { customerId: alice, currency: "ai_credits", terms, workId: null, reports: [report] };
    await world.object(alice, "done", again);
    await world.object(alice, "ring");
    // Its balance shows it since: no more than what came after it counts.
    expect(await world.status(alice)).toMatchObject({ queued: 0, unconfirmed: 1 });
    expect(world.service.posts).toHaveLength(posts);
  });

  it("keeps what the service refuses, and counts it until an operator decides", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    world.service.manners.refuses = 422;
    await world.end("a", 6);
    await world.until(alice, ({ dead }) => dead === 1);
    await world.evict(alice);
    world.service.manners.refuses = undefined;
    expect(await world.begin("b", alice, 6)).toBe("insufficient_credits");
    const [{ report }] = (await world.object(alice, "aside")) as [
      { readonly report: { readonly id: string } },
    ];
    expect(await world.object(alice, "resolve", [report.id], "retry")).toBe(1);
    await world.until(alice, ({ dead, queued }) => dead === 0 && queued === 0);
    expect(world.service.spent(alice)).toBe(6);
  });

  it("does not let in work of a kind that the service does not know, but for one piece a minute", async () => {
    world.service.give(alice, 100);
    Object.assign(world.service.manners, { refuses: 404, refusalCode: "indicator_unknown" });
    expect(await world.begin("a", alice, 1)).toBe("admitted");
    await world.end("a", 1);
    await world.until(alice, ({ dead }) => dead === 1);
    expect(await world.begin("b", alice, 1)).toBe("unbillable");
    expect(await world.status(alice)).toMatchObject({ held: 0, works: 0 });
    await world.object("clock", "shift", 60_000);
    expect(await world.begin("c", alice, 1)).toBe("admitted");
    expect(await world.begin("d", alice, 1)).toBe("unbillable");
    world.service.manners.refuses = undefined;
    await world.end("c", 1);
    await world.until(alice, ({ queued }) => queued === 0);
    expect(await world.begin("e", alice, 1)).toBe("admitted");
    expect(await world.begin("f", alice, 1)).toBe("admitted");
  });

  it("reads nothing of what was delivered, and forgets a part of it at a time", async () => {
    world.service.give(alice, 10);
    const work = async () => {
      expect(await world.begin("a", alice, 1)).toBe("admitted");
      await world.end("a", 1);
      await world.until(alice, ({ queued }) => queued === 0);
      const [row] = (await world.object(
        alice,
        "query",
        "SELECT count(*) AS old FROM creditgate_report WHERE body = 'old'",
      )) as readonly { readonly old: number }[];
      return row?.old;
    };
    await work();
    await world.object(
      alice,
      "query",
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1500)
       INSERT INTO creditgate_report (position, id, state, body, entry, amount, stored_at, forget_at)
       SELECT 1000 + n, 'old ' || n, 3, 'old', 'old ' || n, 1, 1, 1 FROM number`,
    );
    await world.evict(alice);
    expect([await work(), await work()]).toEqual([500, 0]);
  });

  it("counts work as spent whose Worker has not been heard of, and frees it with the next balance", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    await world.object(alice, "shift", abandonMs - 1_000);
    expect(await world.begin("b", alice, 6)).toBe("insufficient_credits");
    await world.object(alice, "shift", abandonMs + 1_000);
    await world.object(alice, "ring");
    expect(await world.status(alice)).toMatchObject({ held: 0, works: 0 });
    // The next balance shows all that the service had before it was asked for: of this it never heard.
    expect(await world.begin("c", alice, 6)).toBe("admitted");
  });

  it("does not take work for abandoned that is renewed, nor usage for free that comes after all", async () => {
    world.service.manners.extended = true;
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    const [{ id }] = (await world.object(alice, "query", "SELECT id FROM creditgate_reservation")) as [
      { readonly id: string },
    ];
    await world.object(alice, "shift", abandonMs - 1_000);
    await world.object(alice, "renew", id);
    await world.object(alice, "shift", abandonMs + 1_000);
    await world.object(alice, "ring");
    expect(await world.status(alice)).toMatchObject({ held: 6, works: 1 });
    await world.object(alice, "shift", 3 * abandonMs);
    await world.object(alice, "ring");
    expect(await world.status(alice)).toMatchObject({ held: 0, works: 0 });
    await world.end("a", 6);
    await world.until(alice, ({ queued }) => queued === 0);
    expect(world.service.spent(alice)).toBe(6);
    expect(await world.begin("b", alice, 5)).toBe("insufficient_credits");
  });

  it("goes on holding for a request that goes on, however long", async () => {
    const quick = new World({ abandonMs: 1_000 });
    await quick.start();
    try {
      quick.service.give(alice, 10);
      const outcome = quick.stay("a", alice, 6);
      const goneAt = async () => {
        const rows = await quick.object(alice, "query", "SELECT gone_at FROM creditgate_reservation");
        return (rows as readonly { readonly gone_at: number }[])[0]?.gone_at ?? 0;
      };
      const first = await vi.waitUntil(goneAt, patience);
      await vi.waitUntil(async () => (await goneAt()) > first + 1_000, patience);
      expect(await quick.begin("b", alice, 6)).toBe("insufficient_credits");
      await quick.finish("a");
      expect(await outcome).toBe("admitted");
      await quick.until(alice, ({ queued, works }) => queued === 0 && works === 0);
      expect(quick.service.spent(alice)).toBe(6);
    } finally {
      await quick.stop();
    }
  });

  it("loses nothing where its storage cannot be written, and takes the usage when it can", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    // The last of what the step writes: what it has changed in memory must not stay.
    const full = "SELECT RAISE(FAIL, 'database or disk is full')";
    const insert = "BEFORE INSERT ON creditgate_reservation WHEN NEW.id = 'usage'";
    await world.object(alice, "query", `CREATE TRIGGER full ${insert} BEGIN ${full}; END`);
    const end = world.end("a", 6);
    // It has been tried, in vain: the hold stays.
    await vi.waitUntil(async () => (await world.status(alice).catch(() => undefined))?.works === 1, patience);
    expect(await world.begin("b", alice, 6)).toBe("insufficient_credits");
    await world.object(alice, "query", "DROP TRIGGER full");
    await end;
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
    expect(world.service.spent(alice)).toBe(6);
  });

  it("goes on with what a version has stored that knew no budgets", async () => {
    const { reservations: _, windows: __, ...figures } = { ...createAccountState(), epoch: "before", out: 6 };
    const schema = `
      CREATE TABLE creditgate_schema (version INTEGER NOT NULL) STRICT;
      INSERT INTO creditgate_schema VALUES (2);
      CREATE TABLE creditgate_fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO creditgate_fact VALUES ('account', '${JSON.stringify(figures)}');
      CREATE TABLE creditgate_reservation (
        id TEXT PRIMARY KEY, amount INTEGER NOT NULL, free INTEGER NOT NULL, seq INTEGER NOT NULL,
        expires_at INTEGER NOT NULL, gone_at INTEGER, recalls INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO creditgate_reservation VALUES ('a', 4000000, 0, 1, 0, ${Date.now() + abandonMs}, 0);
      CREATE TABLE creditgate_window (ends_at INTEGER PRIMARY KEY, amount INTEGER NOT NULL, queued INTEGER NOT NULL) STRICT;
      INSERT INTO creditgate_window VALUES (${Date.now()}, 2000000, 0);
      CREATE TABLE creditgate_report (
        position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL,
        entry TEXT NOT NULL, amount INTEGER NOT NULL, sending INTEGER NOT NULL DEFAULT 0, reason TEXT,
        stored_at INTEGER NOT NULL, forget_at INTEGER) STRICT`;
    await world.object("another", "prepare", schema);
    expect(await world.status(alice)).toMatchObject({ held: 4, unconfirmed: 2, works: 1 });
  });

  it("answers 503 where its storage is of a newer version, and goes on when that is deployed again", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    await world.object(alice, "query", "UPDATE creditgate_schema SET version = version + 1");
    await world.evict(alice);
    expect(await world.begin("b", alice, 1)).toBe("upstream_unavailable");
    await expect(world.status(alice)).rejects.toThrow(/expected version 3 or older, received version 4/);
    // Its alarm does not fail, which would be dropped after some retries, and comes again.
    const alarmAt = Number(await world.object(alice, "alarmAt"));
    await world.object(alice, "ring");
    expect(await world.object(alice, "alarmAt")).not.toBe(alarmAt);
    await world.object(alice, "query", "UPDATE creditgate_schema SET version = version - 1");
    expect(await world.status(alice)).toMatchObject({ held: 6, works: 1 });
    await world.end("a", 6);
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
  });

  it("sets an alarm anew that is long past: workerd has dropped it, and some versions still show it", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    await world.object(alice, "shift", 2 * abandonMs + 600_000);
    await world.evict(alice);
    const pastAt = Number(await world.object(alice, "alarmAt"));
    expect(await world.begin("b", alice, 1)).toBe("admitted");
    await vi.waitUntil(async () => Number(await world.object(alice, "alarmAt")) > pastAt, patience);
    await world.release("b");
  });
});

describe("the budgets of a wallet whose object is evicted", () => {
  const world = new World({ gate: { settlementLagMs: lagMs, maxStaleMs: 2 * lagMs }, abandonMs });
  const bob = "member:bob";
  const team = "team:search";
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  beforeEach(() => {
    world.service.give(alice, 20);
    world.service.limit(alice, bob, 10);
    world.service.limit(alice, team, 12);
  });
  afterEach(async () => {
    Object.assign(world.service.manners, {
      refuses: undefined,
      takesBudgets: true,
      period: "2026-01-01T00:00:00.000Z",
    });
    await world.object("clock", "shift", 0);
  });
  const rows = async (what: string) =>
    (await world.object(alice, "query", `SELECT ${what}`)) as readonly Record<string, unknown>[];

  it("hold what the wallet holds, or nothing, and take the usage for it", async () => {
    expect(await world.begin("a", alice, 7, [team, bob])).toBe("admitted");
    await world.evict(alice);
    expect(await world.begin("b", alice, 4, [bob])).toBe("budget_exceeded");
    expect(await world.denial()).toMatchObject({
      status: 402,
      retryable: true,
      budget: { key: bob, limit: 10, left: 3, resetsAt: "2126-01-01T00:00:00.000Z" },
    });
    expect(await world.begin("c", alice, 3, [team, bob])).toBe("admitted");
    // The team has room for it, the member has not: the team holds nothing for it.
    expect(await world.begin("d", alice, 2, [team, bob])).toBe("budget_exceeded");
    expect(await world.begin("e", alice, 2, [team])).toBe("admitted");
    expect(await world.begin("f", alice, 9)).toBe("insufficient_credits");
    await world.evict(alice);
    await world.end("a", 5);
    await world.release("c");
    await world.end("e", 1);
    await world.until(alice, ({ queued, held }) => queued === 0 && held === 0);
    expect([bob, team].map((key) => world.service.spent(alice, key))).toEqual([5, 6]);
    expect(await world.begin("g", alice, 6, [bob])).toBe("budget_exceeded");
    expect(await world.begin("h", alice, 5, [bob, team])).toBe("admitted");
    expect(await world.begin("i", alice, 2, [team])).toBe("budget_exceeded");
  });

  it("give back what the wallet refuses, and are named before it", async () => {
    world.service.limit(alice, team, 100);
    expect(await world.begin("a", alice, 15, [team])).toBe("admitted");
    expect(await world.begin("b", alice, 8, [team, bob])).toBe("insufficient_credits");
    expect(await world.begin("c", alice, 11, [bob])).toBe("budget_exceeded");
    await world.release("a");
    await world.until(alice, ({ held }) => held === 0);
    expect(await world.begin("d", alice, 10, [team, bob])).toBe("admitted");
  });

  it("hold no more than the one that has the least room for it", async () => {
    const upTo8 = { min: 1, max: 8 };
    world.service.limit(alice, team, 3);
    expect(await world.begin("a", alice, upTo8, [team, bob])).toBe("admitted");
    expect(await world.begin("b", alice, 8, [bob])).toBe("budget_exceeded");
    expect(await world.begin("c", alice, 7, [bob])).toBe("admitted");
    world.service.limit(alice, team, 12);
    expect(await world.begin("d", alice, 7)).toBe("admitted");
    // The wallet has 3 left, the team 9.
    expect(await world.begin("e", alice, upTo8, [team])).toBe("admitted");
    await world.evict(alice);
    expect(await world.begin("f", alice, 7, [team])).toBe("budget_exceeded");
    expect(await world.denial()).toMatchObject({ budget: { key: team, left: 6 } });
  });

  it("hold for work that goes on after a pause, and nothing once it has ended", async () => {
    expect(await world.begin("a", alice, 5, [bob])).toBe("admitted");
    expect(await world.pause("a", 2, 4)).toBe(true);
    expect(await world.begin("b", alice, 5, [bob])).toBe("budget_exceeded");
    await world.end("a", 3);
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
    expect(world.service.spent(alice, bob)).toBe(5);
    expect(await world.begin("b", alice, 5, [bob])).toBe("admitted");
  });

  it("go by the time of the wallet, although the clock is set back", async () => {
    expect(await world.begin("a", alice, 1, [team])).toBe("admitted");
    await world.object(alice, "shift", -3 * lagMs);
    expect(await world.begin("b", alice, 1, [bob])).toBe("admitted");
  });

  it("count what is not delivered, in the period in which it was let in", async () => {
    world.service.manners.period = "2026-01-02T00:00:00.000Z";
    expect(await world.begin("a", alice, 7, [bob])).toBe("admitted");
    await world.evict(alice);
    world.service.manners.refuses = 503;
    await world.end("a", 6);
    await world.evict(alice);
    // By a replica whose clock is behind.
    world.service.manners.period = "2026-01-01T00:00:00.000Z";
    expect(await world.begin("b", alice, 5, [bob])).toBe("budget_exceeded");
    expect(await world.begin("c", alice, 4, [bob])).toBe("admitted");
    world.service.manners.refuses = undefined;
    await world.end("c", 4);
    await world.object(alice, "ring");
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
    const period = "2026-01-02T00:00:00.000Z";
    expect(world.service.named.slice(-2)).toEqual([[{ key: bob, period }], [{ key: bob, period }]]);
    expect(world.service.spent(alice, bob)).toBe(10);
  });

  it("count work as spent whose Worker is silent, free it with the next balance, and are forgotten when idle", async () => {
    expect(await world.begin("a", alice, 6, [bob, team])).toBe("admitted");
    await world.evict(alice);
    await world.object(alice, "shift", abandonMs - 1_000);
    expect(await world.begin("b", alice, 6, [bob])).toBe("budget_exceeded");
    await world.object(alice, "shift", abandonMs + 1_000);
    await world.object(alice, "ring");
    expect(await rows("budget FROM creditgate_reservation")).toEqual([]);
    expect(await world.begin("c", alice, 6, [bob])).toBe("admitted");
    await world.release("c");
    await world.until(alice, ({ held }) => held === 0);
    await world.object(alice, "shift", abandonMs + 3 * lagMs);
    await world.object(alice, "ring");
    expect(await rows("budget FROM creditgate_account")).toEqual([{ budget: "" }]);
    expect(await rows("budget FROM creditgate_window WHERE budget <> ''")).toEqual([]);
    expect(await world.begin("d", alice, 10, [bob])).toBe("admitted");
  });

  it("hold nothing where the hold in the wallet cannot be stored", async () => {
    expect(await world.begin("a", alice, 1, [bob])).toBe("admitted");
    const full = "SELECT RAISE(FAIL, 'database or disk is full')";
    const insert = "BEFORE INSERT ON creditgate_reservation WHEN NEW.budget = ''";
    await world.object(alice, "query", `CREATE TRIGGER full ${insert} BEGIN ${full}; END`);
    expect(await world.begin("b", alice, 9, [bob])).toBe("upstream_unavailable");
    await world.object(alice, "query", "DROP TRIGGER full");
    await vi.waitUntil(async () => (await rows("id FROM creditgate_reservation")).length === 2, patience);
    expect(await world.begin("c", alice, 9, [bob])).toBe("admitted");
  });

  it("hold nothing for work that is given up while it is decided on", async () => {
    const { promise, give } = signal();
    world.service.manners.waits = promise;
    const terms = { settlementLagMs: lagMs, maxStaleMs: 2 * lagMs, minRefreshMs: 10, checkTimeoutMs: 10_000 };
    const work = { workId: "w", amount: 5_000_000, kind: "prepaid", budgets: [bob], terms };
    const answer = world.object(alice, "hold", { customerId: alice, currency: "ai_credits", ...work });
    await vi.waitUntil(() => world.service.balances.includes(alice), patience);
    await world.object(alice, "release", "w");
    world.service.manners.waits = undefined;
    give();
    expect(await answer).toMatchObject({ admitted: false, code: "upstream_unavailable" });
    expect(await rows("id FROM creditgate_reservation")).toEqual([]);
    expect(await world.begin("b", alice, 10, [bob])).toBe("admitted");
  });

  it("count what the service refuses, also in another memory, until an operator gives it up", async () => {
    expect(await world.begin("a", alice, 6, [bob])).toBe("admitted");
    world.service.manners.refuses = 422;
    await world.end("a", 6);
    await world.until(alice, ({ dead }) => dead === 1);
    await world.evict(alice);
    expect(await world.begin("b", alice, 5, [bob])).toBe("budget_exceeded");
    const [{ report }] = (await world.object(alice, "aside")) as [
      { readonly report: { readonly id: string } },
    ];
    expect(await world.object(alice, "resolve", [report.id], "drop")).toBe(1);
    expect(await world.begin("b", alice, 10, [bob])).toBe("admitted");
  });

  it("go on holding for work that is renewed", async () => {
    expect(await world.begin("a", alice, 6, [bob])).toBe("admitted");
    const [{ id }] = (await rows("id FROM creditgate_reservation")) as [{ readonly id: string }];
    await world.object(alice, "shift", abandonMs - 1_000);
    await world.evict(alice);
    await world.object(alice, "renew", id);
    await world.object(alice, "shift", abandonMs + 1_000);
    await world.object(alice, "ring");
    expect(await world.begin("b", alice, 5, [bob])).toBe("budget_exceeded");
    await world.end("a", 6);
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
    expect(world.service.spent(alice, bob)).toBe(6);
  });

  it("deny by a key that the service does not know, and answer 503 if it knows no budgets", async () => {
    expect(await world.begin("a", alice, 1, ["member:nobody"])).toBe("budget_unknown");
    expect(await rows("budget FROM creditgate_account WHERE budget <> ''")).toEqual([]);
    world.service.manners.takesBudgets = false;
    expect(await world.begin("b", alice, 1, ["member:other"])).toBe("upstream_unavailable");
    expect(await world.begin("c", alice, 1)).toBe("admitted");
  });

  it("are refused by the budget of a run first, which stays with its gate", async () => {
    await world.createRun("run", 5);
    world.service.limit(alice, bob, 4);
    expect(await world.begin("a", alice, 4, ["run", bob])).toBe("admitted");
    expect(await world.begin("b", alice, 2, ["run", bob])).toBe("budget_exceeded");
    expect(await world.denial()).toMatchObject({ budget: { limit: 5, left: 1 } });
    expect(await world.run("run")).toEqual({ held: 4, spent: 0 });
    await world.end("a", 3);
    expect(await world.run("run")).toEqual({ held: 0, spent: 3 });
    await world.until(alice, ({ queued, held }) => queued === 0 && held === 0);
    expect(world.service.spent(alice, bob)).toBe(3);
    // The run has room for 2, the member for 1.
    expect(await world.begin("c", alice, 2, ["run", bob])).toBe("budget_exceeded");
    expect(await world.denial()).toMatchObject({ budget: { key: bob, left: 1 } });
    expect(await world.run("run")).toEqual({ held: 0, spent: 3 });
  });
});

describe("workerd, when it ends", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "creditgate-objects-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("has objects that go on where they were, and deliver by their alarms without being asked", async () => {
    const world = new World({ persistIn: folder, gate: { settlementLagMs: lagMs } });
    await world.start();
    try {
      world.service.give(alice, 10);
      world.service.give("bob", 10);
      expect(await world.begin("known", alice, 1)).toBe("admitted");
      await world.end("known", 1);
      await world.until(alice, ({ queued }) => queued === 0);
      expect(await world.begin("a", alice, 4)).toBe("admitted");
      expect(await world.begin("b", "bob", 4)).toBe("admitted");
      world.service.manners.refuses = 503;
      await world.end("a", 3);
      await world.stopWorkerd();
      world.service.manners.refuses = undefined;
      await world.startWorkerd();
      // Bob's object is asked: what it held is there. Alice's is not.
      expect(await world.begin("c", "bob", 7)).toBe("insufficient_credits");
      await vi.waitUntil(() => world.service.spent(alice) === 4, { timeout: 60_000, interval: 50 });
    } finally {
      await world.stop();
    }
  }, 120_000);
});
