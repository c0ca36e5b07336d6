import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrival, openReceiver, type Receiver, type Replying } from "./receiver.ts";
import { creditgate } from "./serve-process.ts";
import { openWebhookScene, type WebhookScene } from "./webhook-scene.ts";

/** `npm run test:webhook-crash` takes 50. */
const kills = Number(process.env.CREDITGATE_KILLS ?? "2");
const customers = ["alice", "bob", "carol", "dave"];
const eventsPerRound = 5;

let scene: WebhookScene;
let receiver: Receiver;
beforeAll(async () => {
  scene = await openWebhookScene();
  scene.clock.time = Date.now() - 60_000;
  receiver = await openReceiver();
  await scene.addEndpoint(receiver.url);
});
afterAll(async () => {
  await receiver.close();
  await scene.close();
});

/** The receiver in turn: it hangs, it fails, it does either now and then, it works. */
const behaviours: readonly Replying[] = [
  () => undefined,
  () => 500,
  ({ body: { data } }) => [204, undefined, 503][Number(data.number) % 3],
  () => 204,
];

const startWorker = () =>
  creditgate(["worker", "--webhook-networks=127.0.0.0/8", "--webhook-http", "--webhook-timeout=2000"], {
    DATABASE_URL: scene.databaseUrl,
  });

async function killInTheMiddle(round: number): Promise<void> {
  const numbers = Array.from({ length: eventsPerRound }, (_, index) => round * eventsPerRound + index);
  await Promise.all(customers.map((customer) => scene.tell(customer, ...numbers)));
  receiver.reply(behaviours[round % behaviours.length] ?? (() => 204));
  const before = receiver.arrivals.length;
  const worker = startWorker();
  await worker.printed(/settling/);
  await receiver.arrived(before + 1 + (round % 3));
  worker.process.kill("SIGKILL");
  await once(worker.process, "exit");
  // As after the lease of what it had under way, and the delay of what has failed: no sender is there meanwhile.
  await scene.rows("update webhook_streams set due_at = now() - interval '1 s'");
}

describe(`kill -9 of a sender, ${kills} times, with a receiver that hangs, fails and comes back`, {
  timeout: 900_000,
}, () => {
  it("loses nothing, repeats only with the same id, and keeps the order of each wallet", async () => {
    for (let round = 0; round < kills; round++) await killInTheMiddle(round);
    receiver.reply(() => 204);
    const worker = startWorker();
    await scene.until("select not exists (select from webhook_streams where waiting > 0)");
    worker.process.kill("SIGTERM");
    expect((await worker.exit).code).toBe(0);

    const written = await scene.rows<{ event_id: string }>("select event_id from webhook_events");
    expect(written).toHaveLength(kills * customers.length * eventsPerRound);
    expect(new Set(receiver.arrivals.map(({ id }) => id))).toEqual(
      new Set(written.map((row) => row.event_id)),
    );
    for (const customer of customers) {
      const own = receiver.arrivals.filter(({ body: { data } }) => data.customer === customer);
      const numbers = own.map(({ body: { data } }) => Number(data.number));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(new Set(own.map(idAndNumber)).size).toBe(kills * eventsPerRound);
    }
    const states = "select status, count(*)::int as deliveries from webhook_deliveries group by status";
    expect(await scene.rows(states)).toEqual([{ status: "delivered", deliveries: written.length }]);
  });
});

function idAndNumber({ id, body: { data } }: Arrival): string {
  return `${id} ${data.number}`;
}
