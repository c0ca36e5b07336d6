import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { generateSecret } from "../src/webhooks/secrets.ts";
import type { Arrival } from "./receiver.ts";
import { openWebhookScene, type WebhookScene } from "./webhook-scene.ts";

const second = 1_000;
const hour = 3_600 * second;

let scene: WebhookScene;
beforeAll(async () => {
  scene = await openWebhookScene();
});
afterAll(() => scene.close());

afterEach(() => scene.clear());

const numbersOf = (arrivals: readonly Arrival[], customer = "alice") =>
  arrivals.flatMap(({ body: { data } }) => (data.customer === customer ? [data.number] : []));

const noneWaits = "select not exists (select from webhook_streams where waiting > 0)";
const noneIsPending = "select not exists (select from webhook_deliveries where status = 'pending')";
const attempts = (number: number) => `select coalesce(sum(attempts), 0) >= ${number} from webhook_deliveries`;

describe("startWebhookSender", () => {
  it("signs as the Standard Webhooks library verifies, with each secret that has not ended", async () => {
    const { url, arrivals, arrived } = await scene.receiver();
    const [old, ended, current] = [generateSecret(), generateSecret(), generateSecret()];
    scene.clock.time = Date.now();
    const endpoint = await scene.addEndpoint(url, current);
    await scene.rows(
      `insert into webhook_secrets (org_id, endpoint_id, secret_id, secret, created_at, ends_at)
       select $1, $2, gen_random_uuid(), secret, now(), ends from unnest($3::text[], $4::timestamptz[]) as one (secret, ends)`,
      [scene.orgId, endpoint, [old, ended], [new Date(scene.clock.time + 1), new Date(scene.clock.time)]],
    );
    await scene.tell("alice", 1);
    scene.send();
    await arrived(1);
    const [message] = arrivals;
    expect(message?.headers["content-type"]).toBe("application/json");
    expect(message?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [old, current]) {
      expect(new Webhook(secret).verify(message?.text ?? "", message?.headers ?? {})).toEqual(message?.body);
    }
    expect(() => new Webhook(ended).verify(message?.text ?? "", message?.headers ?? {})).toThrow();
  });

  it("tells each endpoint of each event, those of a wallet in order, by any number of senders", async () => {
    const both = [await scene.receiver(), await scene.receiver()];
    for (const { url } of both) await scene.addEndpoint(url);
    const names = Array.from({ length: 5 }, (_, index) => `customer-${index}`);
    for (let number = 0; number < 5; number++) {
      await Promise.all(names.map((name) => scene.tell(name, 2 * number, 2 * number + 1)));
    }
    for (const _ of [1, 2, 3]) scene.send();
    await scene.until(noneWaits);
    for (const { arrivals } of both) {
      expect(new Set(arrivals.map(({ id }) => id)).size).toBe(50);
      expect(arrivals).toHaveLength(50);
      for (const name of names) {
        expect(numbersOf(arrivals, name)).toEqual(Array.from({ length: 10 }, (_, index) => index));
      }
    }
    expect(
      await scene.rows("select distinct status, attempts, response_status from webhook_deliveries"),
    ).toEqual([{ status: "delivered", attempts: 1, response_status: 204 }]);
  });

  it("holds back the later events of the wallet whose event fails, at that endpoint, and no others", async () => {
    const [failing, fine] = [await scene.receiver(), await scene.receiver()];
    for (const { url } of [failing, fine]) await scene.addEndpoint(url);
    failing.reply(({ body: { data } }) => (data.customer === "alice" ? 500 : 204));
    await scene.tell("alice", 1, 2);
    await scene.tell("bob", 1, 2);
    scene.send();
    await Promise.all([fine.arrived(4), failing.arrived(3)]);
    await scene.until("select count(*) = 2 from webhook_deliveries where status = 'pending'");
    expect([numbersOf(failing.arrivals), numbersOf(failing.arrivals, "bob")]).toEqual([[1], [1, 2]]);

    failing.reply(() => 200);
    scene.pass(4 * second);
    await scene.tell("bob", 3);
    await fine.arrived(5);
    expect(numbersOf(failing.arrivals)).toEqual([1]);
    scene.pass(1 * second);
    await scene.until(noneWaits);
    expect(numbersOf(failing.arrivals)).toEqual([1, 1, 2]);
    const [first, again] = failing.arrivals.filter(({ body: { data } }) => data.customer === "alice");
    expect(again?.id).toBe(first?.id);
  });

  it("tries again for two days, longer each time, then gives the event up and goes on with the next", async () => {
    const { url, arrivals, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    reply(({ body: { data } }) => (data.number === 1 ? 400 : 204));
    await scene.tell("alice", 1, 2);
    scene.send();
    const start = scene.clock.time;
    const minute = 60 * second;
    const waits = [
      5 * second,
      30 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
    ];
    let made = 1;
    for (const wait of [...waits, 20 * hour]) {
      await scene.until(attempts(made));
      scene.pass(wait - 1);
      await scene.until(`select due_at > '${new Date(scene.clock.time).toISOString()}' from webhook_streams`);
      expect(arrivals).toHaveLength(made);
      scene.pass(1);
      made += 1;
    }
    await scene.until(noneIsPending);
    expect(numbersOf(arrivals)).toEqual([...Array.from({ length: 10 }, () => 1), 2]);
    expect((scene.clock.time - start) / hour).toBeCloseTo(51.6, 1);
    expect(
      await scene.rows("select status, attempts, error from webhook_deliveries order by sequence"),
    ).toEqual([
      { status: "given_up", attempts: 10, error: "expected a status of 200 to 299, received 400" },
      { status: "delivered", attempts: 1, error: null },
    ]);
    expect(scene.notices).toEqual([
      expect.stringMatching(/^webhooks: event .* is given up after 10 attempts/),
    ]);
    expect(scene.notices[0]).not.toContain("/hooks");
  });

  it("spreads what is tried again, and gives a receiver the time that it asks for, up to an hour", async () => {
    const { url, arrived, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    const headers = { "retry-after": "600" };
    reply(({ body: { data } }) => ({ status: data.number === 1 ? 429 : 500, headers }));
    await scene.tell("alice", 1);
    await scene.tell("bob", 2);
    scene.send({ random: () => 0.5 });
    await arrived(2);
    await scene.until(attempts(2));
    const due = await scene.rows<{ due_at: Date }>("select due_at from webhook_streams order by customer_id");
    expect(due.map(({ due_at }) => due_at.getTime() - scene.clock.time)).toEqual([
      660 * second,
      5.5 * second,
    ]);
  });

  it("sends to others while a receiver hangs, and cuts that off", async () => {
    const [hanging, fine] = [await scene.receiver(), await scene.receiver()];
    for (const { url } of [hanging, fine]) await scene.addEndpoint(url);
    hanging.reply(() => undefined);
    const names = Array.from({ length: 60 }, (_, index) => `customer-${index}`);
    await Promise.all(names.map((name) => scene.tell(name, 1)));
    scene.send({ timeoutMs: 5_000 });
    await fine.arrived(60);
    expect(hanging.arrivals).toHaveLength(8);
    expect(await scene.rows("select from webhook_deliveries where error is not null")).toEqual([]);
  });

  it("sends to one that answers while more fail and hang than there are attempts at once", async () => {
    const [hanging, fine] = [await scene.receiver(), await scene.receiver()];
    hanging.reply(() => undefined);
    await Promise.all(Array.from({ length: 300 }, () => scene.addEndpoint(hanging.url)));
    await scene.rows("update webhook_endpoints set failing_since = created_at");
    for (const name of ["alice", "bob"]) await scene.tell(name, 1);
    scene.send({ timeoutMs: 60_000 });
    await hanging.arrived(64);
    await scene.addEndpoint(fine.url);
    scene.pass(1 * second);
    await scene.tell("carol", 1);
    await fine.arrived(1);
    expect(hanging.arrivals).toHaveLength(64);
  });

  it("says of a receiver that hangs that it did not answer in time, and asks one thing at a time of it", async () => {
    const { url, arrivals, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    reply(() => undefined);
    for (let customer = 0; customer < 24; customer++) await scene.tell(`customer ${customer}`, 1);
    scene.send({ timeoutMs: 100 });
    await scene.until(attempts(8));
    expect(await scene.rows("select distinct error from webhook_deliveries where attempts > 0")).toEqual([
      { error: "no answer within 0.1 s" },
    ]);
    await scene.until(attempts(9));
    // The next may have arrived before this look, and a further one on a loaded machine, but not eight at once.
    expect(arrivals.length).toBeLessThan(16);
  });

  it("leaves what a sender had under way that died to others, when its lease is over", async () => {
    const { url, arrivals, arrived, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    await scene.tell("alice", 1, 2);
    const claim = "update webhook_streams set claim = gen_random_uuid(), due_at = $1";
    await scene.rows(claim, [new Date(scene.clock.time + 20 * second)]);
    scene.send();
    await scene.tell("bob", 1);
    await arrived(1);
    scene.pass(20 * second - 1);
    await scene.tell("bob", 2);
    await arrived(2);
    expect(numbersOf(arrivals)).toEqual([]);
    reply(() => 200);
    scene.pass(1);
    await scene.until(noneWaits);
    expect(numbersOf(arrivals)).toEqual([1, 2]);
  });

  it("notes nothing of an attempt whose lease is over: who has the stream now decides", async () => {
    const { url, arrived, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    reply(() => {
      answer();
      return undefined;
    });
    await scene.tell("alice", 1);
    scene.send({ timeoutMs: 300 });
    await asked;
    await scene.rows("update webhook_streams set claim = gen_random_uuid(), due_at = 'infinity'");
    await scene.tell("bob", 1);
    reply(() => 204);
    await arrived(2);
    await scene.until("select status = 'delivered' from webhook_deliveries where customer_id = 'bob'");
    expect(await scene.rows("select attempts from webhook_deliveries where customer_id = 'alice'")).toEqual([
      { attempts: 0 },
    ]);
  });

  it("disables an endpoint that has failed for five days, tells it, and gives up what waits", async () => {
    const { url, reply } = await scene.receiver();
    const endpoint = await scene.addEndpoint(url);
    reply(() => 503);
    await scene.rows("update webhook_endpoints set failing_since = $1", [
      new Date(scene.clock.time - 5 * 24 * hour),
    ]);
    await scene.tell("alice", 1, 2);
    scene.send();
    for (const [made, wait] of [5, 30, 300, 1_800].entries()) {
      await scene.until(attempts(made + 1));
      expect(await scene.rows("select from webhook_endpoints where disabled_at is null")).toHaveLength(1);
      scene.pass(wait * second);
    }
    await scene.until("select disabled_why = 'failing' from webhook_endpoints");
    await scene.until(`select count(*) = 1 from audit_log where subject = '"${endpoint}"'`);
    await expect.poll(() => scene.notices).toHaveLength(1);
    expect(scene.notices[0]).toContain(
      `endpoint ${endpoint} (${new URL(url).host}) of organisation ${scene.orgId} is disabled, since it has failed for days`,
    );
  });

  it("disables an endpoint at once that answers 410, and no more is queued for it", async () => {
    const { url, arrivals, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    reply(() => 410);
    await scene.tell("alice", 1);
    scene.send();
    await scene.until("select disabled_why = 'gone' from webhook_endpoints");
    await scene.tell("alice", 2);
    expect(await scene.rows("select from webhook_deliveries")).toHaveLength(1);
    expect(arrivals).toHaveLength(1);
  });

  it("knows an endpoint that answers again as one that does", async () => {
    const { url, arrived, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    reply(() => 500);
    await scene.tell("alice", 1);
    scene.send();
    await scene.until("select failing_since is not null from webhook_endpoints");
    reply(() => 200);
    await scene.tell("bob", 1);
    await arrived(2);
    await scene.until("select failing_since is null from webhook_endpoints");
  });

  it("cuts off what takes long when it is stopped, without counting the attempt", async () => {
    const { url, arrived, reply } = await scene.receiver();
    await scene.addEndpoint(url);
    reply(() => undefined);
    await scene.tell("alice", 1);
    const sender = scene.send();
    await arrived(1);
    await sender.stop();
    expect(
      await scene.rows(
        "select attempts, claim, due_at from webhook_deliveries join webhook_streams using (org_id)",
      ),
    ).toEqual([{ attempts: 0, claim: null, due_at: new Date(scene.clock.time) }]);
  });
});
