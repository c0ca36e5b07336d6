import { createAdminClient, type UsageFeedEvent } from "@creditgate/admin";
import { afterEach, describe, expect, it } from "vitest";
import { type Cluster, createCluster } from "../../postgres/test/cluster.ts";
import { type Pgbouncer, pgbouncerMissing, startPgbouncer } from "../../postgres/test/pgbouncer.ts";
import { type Connection, connect, isUnavailable } from "../src/database/connection.ts";
import { type RunningServer, type RunningWorker, startServer, startWorker } from "../src/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { adminToken } from "./admin-scene.ts";
import { administrator } from "./administrator.ts";
import { acme } from "./fixture.ts";
import { createBrowser, password, tokenOf } from "./people-scene.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { type Load, startLoad } from "./upgrade-load.ts";

/** `npm run test:failover` takes 20. */
const rounds = Number(process.env.CREDITGATE_FAILOVERS ?? "1");
const apiKey = acme.organization.apiKey ?? "";
/** A number that nobody else locks. */
const gate = 4_611_686_019n;
const webhooks = { networks: ["127.0.0.0/8"], allowHttp: true, timeoutMs: 1_000 };

/** Two replicas of the service behind PgBouncer, on a PostgreSQL with a standby. Workers come as a test starts them. */
interface Scene {
  readonly cluster: Cluster;
  readonly bouncer: Pgbouncer;
  readonly servers: readonly RunningServer[];
  readonly receiver: Receiver;
  readonly clock: { ahead: number; now(): number };
  /** What went wrong beyond an outage. */
  readonly errors: unknown[];
  startWorker(): Promise<RunningWorker>;
  load(): Load;
  /** The promoted standby, past PgBouncer. */
  promoted(): Connection;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Names what is waited for, so that a failure does. */
async function within<Result>(seconds: number, what: string, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), seconds * 1_000);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function openScene(synchronous: boolean): Promise<Scene> {
  const cluster = await within(60, "a primary and its standby", createCluster({ synchronous }));
  closing.push(() => cluster.close());
  const bouncer = await startPgbouncer(
    cluster.primaryUrl,
    ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"],
    8,
  );
  closing.push(() => bouncer.stop());
  const receiver = await openReceiver();
  closing.push(() => receiver.close());
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const errors: unknown[] = [];
  const options = {
    databaseUrl: bouncer.url,
    webhooks,
    clock,
    onError: (error: unknown) => errors.push(error),
  };
  const first = await startServer({ ...options, databaseUrl: cluster.primaryUrl, port: 0, fixture: acme });
  await first.stop();
  const servers: RunningServer[] = [];
  for (let count = 0; count < 2; count += 1) {
    const server = await startServer({
      ...options,
      port: 0,
      settlement: false,
      settlementDelayMs: 0,
      rateLimitPerSecond: 0,
      adminTokens: [{ name: "test", token: adminToken }],
      people: {},
    });
    servers.push(server);
    closing.push(() => server.stop());
  }
  return {
    cluster,
    bouncer,
    servers,
    receiver,
    clock,
    errors,
    async startWorker() {
      const worker = await startWorker(options);
      closing.push(() => worker.stop());
      return worker;
    },
    load() {
      const load = startLoad(apiKey, { isPatient: true });
      for (const { url } of servers) load.add(url);
      return load;
    },
    promoted() {
      const connection = connect(cluster.replicaUrl, 2);
      closing.push(() => connection.close());
      return connection;
    },
  };
}

/** What an operator does; resolves the usage that was accepted before. */
async function failOver({ cluster, bouncer }: Scene, load: Load): Promise<ReadonlySet<string>> {
  await within(20, "the primary is gone", cluster.killPrimary());
  await within(20, "the standby is promoted", cluster.promote());
  // What the old primary has answered has come by now, and the new one is asked nothing yet.
  const acknowledged = new Set(load.usage);
  await bouncer.moveTo(cluster.replicaUrl);
  return acknowledged;
}

const monthsLater = (time: number, months: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

/** Where a worker is held that detaches a month of the ledger, in the midst of its transaction. */
async function closeGate({ cluster }: Scene): Promise<() => Promise<boolean>> {
  const client = await cluster.primary.connect();
  await client.query(`
    create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gate}); return null; end $$;
    create trigger gate after insert on ledger_carried for each statement execute function wait_at_gate()`);
  await client.query("select pg_advisory_lock($1)", [gate]);
  closing.push(() => client.release(true));
  return async () => {
    const { rows } = await cluster.primary.query(
      `select exists (select from pg_locks where locktype = 'advisory' and not granted
                         and (classid::bigint << 32) + objid::bigint = $1) as waits`,
      [gate],
    );
    return rows[0]?.waits === true;
  };
}

/** All that a feed tells until the test ends, whatever it reads it from. */
function follow(server: RunningServer, organizationId: string): readonly UsageFeedEvent[] {
  const events: UsageFeedEvent[] = [];
  const stop = new AbortController();
  closing.push(() => stop.abort());
  const { usage } = createAdminClient({ baseUrl: server.url, adminToken }).organization(organizationId);
  const read = async () => {
    for await (const event of usage.feed({}, { signal: stop.signal })) events.push(event);
  };
  void read();
  return events;
}

/** The feed of a promoted server begins anew, and tells of all that is settled from there on once; resolves the usage that did that. */
async function goesOn(scene: Scene, events: readonly UsageFeedEvent[]): Promise<ReadonlySet<string>> {
  const starts = () => events.filter(({ type }) => type === "start").length;
  await expect.poll(starts, { message: "the feed begins anew" }).toBe(2);
  const load = scene.load();
  await within(30, "the load that the feed tells of", load.answered(5));
  const { failures, usage } = await within(30, "the end of the load that the feed tells of", load.stop());
  expect(failures).toEqual([]);
  const { rows } = await scene
    .promoted()
    .pool.query<{ id: string }>(
      "select usage_id::text as id from usage_reports where coalesce(idempotency_key, raw_usage->>'sessionId') = any($1)",
      [[...usage]],
    );
  expect(rows).toHaveLength(usage.size);
  // From there on: what an asynchronous standby lacked of the settlement is settled again, and told again.
  const begin = events.findLastIndex(({ type }) => type === "start");
  const settled = () =>
    events.slice(begin).flatMap((event) => (event.type === "settled" ? [event.usage.usageId] : []));
  const all = expect.arrayContaining(rows.map(({ id }) => id));
  await expect.poll(settled, { message: "the feed goes on" }).toEqual(all);
  expect(new Set(settled()).size).toBe(settled().length);
  return usage;
}

describe.skipIf(pgbouncerMissing)("a primary that is lost with its machine under load", () => {
  it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
    "has lost nothing where its standby is synchronous, at a month's end and within the detach of a month (%i)",
    { timeout: 300_000 },
    async () => {
      const scene = await openScene(true);
      const { cluster, clock, receiver, errors } = scene;
      const [server, other] = scene.servers;
      if (server === undefined || other === undefined) throw new Error("There are two.");
      const admin = administrator(server.url, adminToken);
      const organizationId = await admin.organizationId("Acme");
      const path = `/organizations/${organizationId}`;
      expect((await admin.post(`${path}/webhook-endpoints`, { url: receiver.url })).status).toBe(201);
      const invited = await admin.post(`${path}/invitations`, { email: "one@example.com", roles: ["read"] });
      const browser = createBrowser(server.url);
      const link = { token: tokenOf(invited.json.link), password };
      expect((await browser.post("/links/use", link)).status).toBe(201);

      // Four months before the month that is let go, since the first partition has two.
      const turn = monthsLater(clock.now(), 4);
      const early = scene.load();
      const worker = await scene.startWorker();
      await within(30, "the load of the first month", early.answered(10));
      await within(30, "the end of the load of the first month", early.stop());
      await within(30, "the first month is settled", worker.settled());
      await expect
        .poll(
          async () =>
            (await cluster.primary.query("select from webhook_streams where waiting > 0 limit 1")).rowCount,
          { message: "the webhooks of the first month" },
        )
        .toBe(0);
      await worker.stop();
      await cluster.primary.query("update organizations set usage_kept_months = 2, ledger_kept_months = 2");

      const before = receiver.arrivals.length;
      clock.ahead = turn - 3_000 - Date.now();
      // Somebody has looked all the time.
      const session = createBrowser(server.url);
      expect((await session.post("/sign-in", { email: "one@example.com", password })).status).toBe(200);
      await scene.startWorker();
      const events = follow(other, organizationId);
      await expect.poll(() => events.length, { message: "the feed begins" }).toBe(1);
      const load = scene.load();
      await within(30, "the load before the month's end", load.answered(10));
      await expect.poll(() => clock.now(), { message: "the month ends" }).toBeGreaterThan(turn);
      const isHeld = await closeGate(scene);
      // The one that lets the month go.
      await scene.startWorker();
      // What does not get a lock in time is tried again after a minute.
      await expect.poll(isHeld, { message: "a month is being detached", timeout: 120_000 }).toBe(true);
      await within(30, "the load after the month's end", load.answered(10));
      await failOver(scene, load);
      await within(30, "the load on the promoted server", load.answered(30));
      const { failures, usage } = await within(30, "the end of the load", load.stop());
      expect(failures).toEqual([]);

      const late = await goesOn(scene, events);
      const { pool, database } = scene.promoted();
      const rows = async (text: string) => (await pool.query(text)).rows;
      const none = (what: string) =>
        expect
          .poll(async () => (await rows(`select count(*)::int from ${what}`))[0].count, { message: what })
          .toBe(0);
      // The rest of the month, and what follows from it.
      clock.ahead += 60_000;
      await scene.startWorker();
      await none("usage_due");
      const period = `select count(*)::int from invoices where kind = 'period' and period_end = to_timestamp(${turn / 1_000})`;
      await expect.poll(() => rows(period), { message: "the month is invoiced" }).toEqual([{ count: 1 }]);
      await expect
        .poll(() => rows("select name from detached_partitions where parent = 'ledger_entries'"), {
          message: "the month is detached",
        })
        .toEqual([{ name: "ledger_entries_first" }]);
      await none("webhook_streams where waiting > 0");

      const accepted = [{ count: usage.size + late.size }];
      expect(await rows("select count(*)::int from usage_reports")).toEqual(accepted);
      expect(await rows("select count(*)::int from ledger_entries where cause = 'usage'")).toEqual(accepted);
      const written = await rows("select event_id::text as id from webhook_events order by 1");
      const arrived = receiver.arrivals.slice(before).map(({ id }) => id);
      expect([...new Set(arrived)].toSorted()).toEqual(written.map(({ id }) => id));
      expect((await session.get("/account")).status).toBe(200);
      expect(await within(60, "the answers of before", load.repeat())).toEqual([]);
      expect((await verify(database)).differences).toEqual([]);
      expect(errors.filter((error) => !isUnavailable(error))).toEqual([]);
    },
  );

  it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
    "loses where its standby is asynchronous what that had not received, and no more; the books of the rest are right (%i)",
    { timeout: 300_000 },
    async () => {
      const scene = await openScene(false);
      const { cluster, errors, servers } = scene;
      const [server] = servers;
      if (server === undefined) throw new Error("There are two.");
      const events = follow(server, await administrator(server.url, adminToken).organizationId("Acme"));
      await expect.poll(() => events.length, { message: "the feed begins" }).toBe(1);
      await scene.startWorker();
      await scene.startWorker();
      const load = scene.load();
      await within(30, "the load", load.answered(20));
      const safe = new Set(load.usage);
      await within(30, "the standby has caught up", cluster.caughtUp());
      await within(30, "the standby is cut off", cluster.cutOff());
      await within(30, "the load without a standby", load.answered(20));
      const acknowledged = await failOver(scene, load);
      await within(30, "the load on the promoted server", load.answered(30));
      const { usage } = await within(30, "the end of the load", load.stop());
      await goesOn(scene, events);

      const { pool, database } = scene.promoted();
      const rows = async (text: string) => (await pool.query(text)).rows;
      await expect
        .poll(async () => (await rows("select from usage_due limit 1")).length, { message: "usage_due" })
        .toBe(0);
      const reports = await rows(
        "select usage_id::text as id, coalesce(idempotency_key, raw_usage->>'sessionId') as key from usage_reports order by 1",
      );
      const kept = new Set(reports.map(({ key }) => key));
      expect([...safe].filter((key) => !kept.has(key))).toEqual([]);
      expect([...acknowledged].filter((key) => !kept.has(key))).not.toEqual([]);
      expect([...usage].filter((key) => !acknowledged.has(key) && !kept.has(key))).toEqual([]);
      expect(
        await rows("select usage_id::text as id from ledger_entries where cause = 'usage' order by 1"),
      ).toEqual(reports.map(({ id }) => ({ id })));
      expect((await verify(database)).differences).toEqual([]);
      expect(errors.filter((error) => !isUnavailable(error))).toEqual([]);
    },
  );
});
