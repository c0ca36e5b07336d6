import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    expect(await world.status(alice)).toMatchObject({ queued: 0 });
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

  it("answers 503 where its storage is of a newer version, and goes on when that is deployed again", async () => {
    world.service.give(alice, 10);
    expect(await world.begin("a", alice, 6)).toBe("admitted");
    await world.object(alice, "query", "UPDATE creditgate_schema SET version = version + 1");
    await world.evict(alice);
    expect(await world.begin("b", alice, 1)).toBe("upstream_unavailable");
    await expect(world.status(alice)).rejects.toThrow(/expected version 2 or older, received version 3/);
    await world.object("another", "prepare", "UPDATE creditgate_schema SET version = version - 1");
    expect(await world.status(alice)).toMatchObject({ held: 6, works: 1 });
    await world.end("a", 6);
    await world.until(alice, ({ queued, works }) => queued === 0 && works === 0);
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
