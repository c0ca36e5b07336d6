import { createAdminClient, type UsageFeedEvent, type UsageFeedQuery } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { adminToken, hour } from "./admin-scene.ts";
import { type FeedReader, readFeed, wordOf } from "./feed-reader.ts";
import { openPeopleScene, type PeopleScene } from "./people-scene.ts";
import { reported } from "./usage-rows.ts";

let scene: PeopleScene;
let hand: Connection;
let other: RunningServer;
let orgId: string;
const open: FeedReader[] = [];

/** Acme at a time that stands still: usage is settled where the clock has moved on by a second. */
beforeAll(async () => {
  scene = await openPeopleScene({ settlementDelayMs: 1_000 });
  orgId = scene.path.split("/").at(-1) ?? "";
  hand = connect(scene.plane.databaseUrl);
  other = await startServer({
    databaseUrl: scene.plane.databaseUrl,
    port: 0,
    clock: scene.clock,
    settlement: false,
    adminTokens: [{ name: "test", token: adminToken }],
  });
});
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.leave();
  await settle();
});
afterAll(async () => {
  await hand.close();
  await other.stop(1_000);
  await scene.plane.stop();
});

interface Feeding {
  readonly baseUrl?: string;
  readonly organization?: string;
  readonly lastEventId?: string;
  readonly token?: string;
}

function feed(query: UsageFeedQuery = {}, feeding: Feeding = {}): FeedReader {
  const { baseUrl = scene.plane.baseUrl, organization = orgId, token = adminToken, lastEventId } = feeding;
  const stop = new AbortController();
  const { usage } = createAdminClient({ baseUrl, adminToken: token }).organization(organization);
  const reader = readFeed(usage.feed(query, { signal: stop.signal, lastEventId }), () => stop.abort());
  open.push(reader);
  return reader;
}

/** A feed that has begun. */
async function begun(query?: UsageFeedQuery, feeding?: Feeding): Promise<FeedReader> {
  const reader = feed(query, feeding);
  expect(await reader.take(1)).toEqual(["start"]);
  return reader;
}

let reports = 0;
async function report(customerId = "alice", indicator = "message"): Promise<string> {
  reports += 1;
  const idempotencyKey = `r${reports}`;
  const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
  const rawUsage = { model: "m", inputTokens: 1_000 };
  await client.usage.report({ agentId: "chat", customerId, indicator, rawUsage }, { idempotencyKey });
  return idempotencyKey;
}

async function settle(): Promise<void> {
  scene.clock.time += 2_000;
  await scene.plane.settled();
}

/** A report that another transaction stores, which ends when it is told to. */
async function slowReport(key: string): Promise<() => Promise<void>> {
  const client = await hand.pool.connect();
  await client.query("begin");
  const due = new Date(scene.clock.time + 1_000);
  await client.query(
    reported(
      `select $1::bigint as org_id, $2::text as idempotency_key, 'message' as indicator, 'alice' as customer_id,
              'ai_credits' as currency, 1 as amount, $3::timestamptz as received_at`,
      "$4::timestamptz",
    ),
    [orgId, key, new Date(scene.clock.time), due],
  );
  return async () => {
    await client.query("commit");
    client.release();
  };
}

const ask = (headers: Readonly<Record<string, string>> = {}, path = scene.path) =>
  fetch(`${scene.plane.baseUrl}/admin/api${path}/usage-feed`, {
    headers: { authorization: `Bearer ${adminToken}`, ...headers },
  });

describe("the feed of usage", () => {
  it("tells each report when it is taken, and when it is settled, as the list has it", async () => {
    const reader = await begun();
    const key = await report();
    const taken = await reader.next();
    expect(taken).toMatchObject({
      type: "taken",
      usage: { idempotencyKey: key, settledAt: null, outcome: null },
    });
    await settle();
    const settled = await reader.next();
    const list = await scene.admin.get(`${scene.path}/usage?idempotencyKey=${key}`);
    expect(settled).toMatchObject({ type: "settled", usage: (list.json.usage as unknown[])[0] });
    expect(settled).toMatchObject({ usage: { outcome: "debited" } });
  });

  it("tells what it is asked for", async () => {
    const ofBob = await begun({ customerId: "bob" });
    const seats = await begun({ agentId: "chat", indicator: "seat" });
    const missing = await begun({ outcome: "wallet_missing" });
    await report();
    const [second, third] = [await report("bob"), await report("alice", "seat")];
    // What is settled before the feed has looked is told once.
    expect(await ofBob.take(1)).toEqual([`taken ${second}`]);
    expect(await seats.take(1)).toEqual([`taken ${third}`]);
    await settle();
    expect(await ofBob.take(1)).toEqual([`settled ${second}`]);
    expect(await seats.take(1)).toEqual([`settled ${third}`]);
    expect(await missing.take(1)).toEqual([`settled ${second}`]);
  });

  it("tells what was committed late, whatever came in between, and once", async () => {
    const reader = await begun();
    const commitLate = await slowReport("late");
    const quick = await report();
    expect(await reader.take(1)).toEqual([`taken ${quick}`]);
    await commitLate();
    expect(await reader.take(1)).toEqual(["taken late"]);
    const last = await report();
    expect(await reader.take(1)).toEqual([`taken ${last}`]);
    await settle();
    expect((await reader.take(3)).toSorted()).toEqual(
      [`settled ${last}`, `settled ${quick}`, "settled late"].toSorted(),
    );
  });

  it("is resumed after any event, at any replica, without loss or doubles", async () => {
    const first = await begun();
    const commitLate = await slowReport("late once more");
    const keys = await Promise.all(Array.from({ length: 120 }, () => report()));
    const told: UsageFeedEvent[] = [await first.next()];
    // Every few events at the other one; what is late is committed on the way.
    for (let round = 0; told.length < 121; round += 1) {
      const lastEventId = told.at(-1)?.id ?? "";
      const reader = feed({}, { lastEventId, baseUrl: round % 2 === 0 ? other.url : scene.plane.baseUrl });
      const some = Math.min(1 + ((round * 7) % 23), 121 - told.length);
      if (round === 3) await commitLate();
      for (let index = 0; index < some; index += 1) told.push(await reader.next());
      await reader.leave();
    }
    expect(told.map(wordOf).toSorted()).toEqual(
      [...keys, "late once more"].map((key) => `taken ${key}`).toSorted(),
    );
    await settle();
    const reader = feed({}, { lastEventId: told.at(-1)?.id ?? "" });
    const settled = await reader.take(121);
    expect(new Set(settled)).toEqual(new Set([...keys, "late once more"].map((key) => `settled ${key}`)));
  });

  it("goes on where its connection is cut, for one who reads it by the client", async () => {
    const reader = await begun();
    const before = await report();
    expect(await reader.take(1)).toEqual([`taken ${before}`]);
    await hand.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'creditgate'`,
    );
    // Each connection of the pool fails once.
    const after = await vi.waitFor(report, { timeout: 30_000 });
    expect(await reader.take(1)).toEqual([`taken ${after}`]);
  });

  it("begins anew where it cannot know what has been told: after a day, in a database that was restored, and in one that was promoted", async () => {
    const { id } = await feed().next();
    const [snapshot, readAt, server] = id.split("~");
    const old = `${snapshot}~${Number(readAt) - 25 * hour}`;
    expect(await feed({}, { lastEventId: old }).take(1)).toEqual(["start"]);
    expect(await feed({}, { lastEventId: `900000000000:5:~${readAt}` }).take(1)).toEqual(["start"]);
    const promoted = `${snapshot}~${readAt}~${BigInt(server ?? 0) + 1n}`;
    expect(await feed({}, { lastEventId: promoted }).take(1)).toEqual(["start"]);
  });

  it.each(["none", "0:1:~1", "5:2:7~1", "5:3:1,1~1", "5:3:~1~5:3:~5", "5:3:~1~x", `${"9".repeat(19)}:9:~1`])(
    "refuses an ID that is none: %s",
    async (id) => {
      const response = await ask({ "last-event-id": id });
      expect([response.status, (await response.json()).code]).toEqual([400, "invalid_request"]);
    },
  );

  it("tells nothing of other organisations", async () => {
    const created = await scene.admin.post("/organizations", { name: "Quiet" });
    const quiet = await begun({}, { organization: String(created.json.organizationId) });
    const reader = await begun();
    const key = await report();
    expect(await reader.take(1)).toEqual([`taken ${key}`]);
    const next = quiet.next().then(wordOf, () => "the feed has ended");
    await settle();
    expect(await reader.take(1)).toEqual([`settled ${key}`]);
    await quiet.leave();
    expect(await next).toBe("the feed has ended");
  });

  it("is open ten times for an organisation; the others have theirs", async () => {
    const created = await scene.admin.post("/organizations", { name: "Another" });
    const readers = [];
    for (let count = 0; count < 10; count += 1) readers.push(await begun());
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({ code: "too_many_feeds" });
    await begun({}, { organization: String(created.json.organizationId) });
    await readers[0]?.leave();
    // The server has heard of it a moment later.
    await expect
      .poll(
        async () => {
          const response = await ask();
          await response.body?.cancel();
          return response.status;
        },
        { interval: 100 },
      )
      .toBe(200);
  });

  it("does not keep the turns and the connections of its organisation", async () => {
    for (let count = 0; count < 9; count += 1) await begun();
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => scene.admin.get(`${scene.path}/usage?limit=1`)),
    );
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("answers HEAD, and ends", async () => {
    const address = `${scene.plane.baseUrl}/admin/api${scene.path}/usage-feed`;
    const response = await fetch(address, {
      method: "HEAD",
      headers: { authorization: `Bearer ${adminToken}` },
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(await response.text()).toBe("");
  });
});

describe("one who reads the feed", () => {
  const address = () => `${scene.plane.baseUrl}/admin/api${scene.path}/usage-feed`;

  /** Reads as a browser does, with the cookies of one who has signed in. */
  async function readAs(
    cookies: ReadonlyMap<string, string>,
  ): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address(), { headers: { cookie, "sec-fetch-site": "same-origin" } });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("no body");
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("event: start");
    return reader;
  }

  /** Resolves where the feed ends, in whole. */
  async function ended(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
    for (;;) if ((await reader.read()).done) return true;
  }

  it("may read it no longer when the session ends, nor when the role is taken away, nor when it expires", async () => {
    const one = await scene.member("one@example.com", "read");
    const two = await scene.member("two@example.com", "read");
    const three = await scene.member("three@example.com", "read");
    const [first, second, third] = [
      await readAs(one.cookies),
      await readAs(two.cookies),
      await readAs(three.cookies),
    ];
    await one.post("/account/sign-out");
    expect(await ended(first)).toBe(true);
    const { members } = (await scene.admin.get(`${scene.path}/members`)).json as {
      members: { userId: string; email: string }[];
    };
    const user = members.find(({ email }) => email === "two@example.com");
    await scene.admin.post(`${scene.path}/members/${user?.userId}/remove`);
    expect(await ended(second)).toBe(true);
    // To read the feed is not to use the session: it ends as if nobody were there.
    scene.clock.time += 9 * hour;
    expect(await ended(third)).toBe(true);
  });

  it("reads it with a token until that is revoked; the client then says why", async () => {
    const owner = await scene.member("owner@example.com", "owner");
    const made = (await owner.post("/account/tokens", { name: "feed" })).json;
    const reader = await begun({}, { token: String(made.token) });
    const end = reader.next().catch((error: unknown) => error);
    await owner.post(`/account/tokens/${made.tokenId}/revoke`);
    expect(await end).toMatchObject({ name: "CreditgateError", code: "http", status: 401 });
  });
});

describe("a server that stops", () => {
  it("ends its feeds in whole, and does not wait for them", async () => {
    const server = await startServer({
      databaseUrl: scene.plane.databaseUrl,
      port: 0,
      clock: scene.clock,
      settlement: false,
      adminTokens: [{ name: "test", token: adminToken }],
    });
    const response = await fetch(`${server.url}/admin/api${scene.path}/usage-feed`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const text = response.text();
    await server.stop(10_000);
    expect(await text).toContain("event: start");
  });
});
