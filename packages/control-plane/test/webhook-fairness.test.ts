import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { claimDue } from "../src/webhooks/claim.ts";
import type { Receiver } from "./receiver.ts";
import { lockTable } from "./table-lock.ts";
import { openWebhookScene, type WebhookScene } from "./webhook-scene.ts";

const second = 1_000;

let scene: WebhookScene;
beforeAll(async () => {
  scene = await openWebhookScene();
});
afterAll(() => scene.close());

afterEach(() => scene.clear());

async function hangingReceiver(): Promise<Receiver> {
  const hanging = await scene.receiver();
  hanging.reply(() => undefined);
  return hanging;
}

/** Senders measure how long attempts take by it. */
const stopwatch = () => {
  const elapsed = { time: 0, now: () => elapsed.time };
  return elapsed;
};

describe("the webhooks of one organisation", () => {
  it("go out beside ten others whose receivers hang, each with twenty endpoints", async () => {
    const [hanging, fine] = [await hangingReceiver(), await scene.receiver()];
    await scene.addNeighbours(10, { url: hanging.url, endpoints: 20, customers: 8 });
    scene.send({ timeoutMs: 60_000, elapsed: stopwatch() });
    await hanging.arrived(200);
    await scene.addEndpoint(fine.url);
    await scene.tell("alice", 1, 2);
    await fine.arrived(2);
  });

  it("wait for at most two seconds when more receivers begin to hang at once than there are attempts", async () => {
    const [hanging, fine] = [await hangingReceiver(), await scene.receiver()];
    await scene.addNeighbours(300, { url: hanging.url, endpoints: 1, customers: 1 });
    const elapsed = stopwatch();
    scene.send({ timeoutMs: 60_000, elapsed });
    await hanging.arrived(256);
    await scene.addEndpoint(fine.url);
    await scene.tell("alice", 1);
    elapsed.time += 2 * second;
    await fine.arrived(1);
  });

  it("leave as many attempts free for others as it has itself", async () => {
    const hanging = await hangingReceiver();
    await scene.addNeighbours(1, { url: hanging.url, endpoints: 40, customers: 8 });
    scene.send({ timeoutMs: 60_000, elapsed: stopwatch() });
    await hanging.arrived(128);
    const fine = await scene.receiver();
    await scene.addEndpoint(fine.url);
    await scene.tell("alice", 1);
    await fine.arrived(1);
    expect(hanging.arrivals).toHaveLength(128);
  });
});

const statusOf = (customer: string) => async () => {
  const [row] = await scene.rows<{ status: string }>(
    "select status from webhook_deliveries where customer_id = $1",
    [customer],
  );
  return row?.status;
};

describe("what has come of attempts", () => {
  it("is noted also while the stream of another organisation is locked, and of that one later", async () => {
    const [theirs, fine] = [await scene.receiver(), await scene.receiver()];
    await scene.addNeighbours(1, { url: theirs.url, endpoints: 1, customers: 1 });
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    theirs.reply(() => held.then(() => 204));
    await scene.addEndpoint(fine.url);
    scene.send();
    await theirs.arrived(1);
    const client = await scene.pool.connect();
    try {
      await client.query("begin");
      await client.query("select from webhook_streams for update");
      answer();
      await scene.tell("alice", 1);
      await fine.arrived(1);
      await expect.poll(statusOf("alice")).toBe("delivered");
      expect(await statusOf("customer-0")()).toBe("pending");
    } finally {
      await client.query("rollback");
      client.release();
    }
    await scene.until("select not exists (select from webhook_deliveries where status = 'pending')");
    expect(theirs.arrivals).toHaveLength(1);
  });

  it("is noted at once of all that have ended meanwhile", async () => {
    const [first, others] = [await scene.receiver(), await scene.receiver()];
    await scene.addNeighbours(1, { url: others.url, endpoints: 20, customers: 2 });
    const answers: (() => void)[] = [];
    const hold = () => new Promise<number>((resolve) => answers.push(() => resolve(204)));
    for (const receiver of [first, others]) receiver.reply(hold);
    await scene.addEndpoint(first.url);
    await scene.tell("alice", 1);
    scene.send();
    await Promise.all([first.arrived(1), others.arrived(40)]);
    const unlock = await lockTable(scene.pool, "webhook_deliveries");
    for (const answer of answers) answer();
    await Promise.all([first.left(1), others.left(40)]);
    await unlock();
    await scene.until("select count(*) = 41 from webhook_deliveries where status = 'delivered'");
    const [row] = await scene.rows<{ statements: bigint }>(
      "select count(distinct xmin::text) as statements from webhook_deliveries",
    );
    expect(Number(row?.statements)).toBeLessThanOrEqual(2);
  });
});

describe("an endpoint whose answers take longer than two seconds", () => {
  it("gets one attempt at a time until it answers in less", async () => {
    const slow = await scene.receiver();
    const elapsed = stopwatch();
    let answer = (): void => undefined;
    const holdAnswers = () => {
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      slow.reply(() => held.then(() => 204));
    };
    await scene.addEndpoint(slow.url);
    for (let index = 0; index < 30; index++) await scene.tell(`customer-${index}`, 1);
    holdAnswers();
    scene.send({ timeoutMs: 60_000, elapsed });
    await slow.arrived(8);
    elapsed.time += 2 * second;
    const answerFirst = answer;
    holdAnswers();
    answerFirst();
    await scene.until("select count(*) = 8 from webhook_deliveries where status = 'delivered'");
    await slow.arrived(9);
    await sendToAnother();
    expect(slow.arrivals).toHaveLength(9);
    answer();
    await scene.until("select not exists (select from webhook_deliveries where status = 'pending')");
  });

  it("gets no other attempt while those take longer", async () => {
    const slow = await hangingReceiver();
    const elapsed = stopwatch();
    await scene.addEndpoint(slow.url);
    for (let index = 0; index < 4; index++) await scene.tell(`customer-${index}`, 1);
    scene.send({ timeoutMs: 60_000, elapsed });
    await slow.arrived(4);
    elapsed.time += 2 * second;
    await scene.tell("late", 1);
    await sendToAnother();
    expect(slow.arrivals).toHaveLength(4);
  });
});

/** A pass of the sender claims all that is pending: when this event arrives, so have the others of the pass. */
async function sendToAnother(): Promise<void> {
  const fine = await scene.receiver();
  await scene.addEndpoint(fine.url);
  await scene.tell("of another", 1);
  await fine.arrived(1);
}

describe("claimDue", () => {
  it("takes from organisations in turn, and from each no more than stays free", async () => {
    await scene.addNeighbours(1, { url: "http://127.0.0.1/", endpoints: 5, customers: 2 });
    scene.clock.time += second;
    await scene.addNeighbours(1, { url: "http://127.0.0.1/", endpoints: 1, customers: 2 });
    await scene.addNeighbours(1, { url: "http://127.0.0.1/", endpoints: 1, customers: 1 });
    const claimed = await claimDue(scene.database, {
      now: new Date(scene.clock.time),
      until: new Date(scene.clock.time + second),
      limit: 6,
      slowLimit: 6,
      perEndpoint: 8,
      endpoints: [],
      organizations: [],
    });
    const counts = new Map<bigint, number>();
    for (const { orgId } of claimed) counts.set(orgId, (counts.get(orgId) ?? 0) + 1);
    expect([...counts].sort(([a], [b]) => Number(a - b)).map(([, count]) => count)).toEqual([2, 2, 1]);
  });
});
