import { randomUUID } from "node:crypto";
import { noPauses } from "@creditgate/core/testing";
import { type Event as Told, writeEvents } from "../src/events/outbox.ts";
import { generateSecret } from "../src/webhooks/secrets.ts";
import { startWebhookSender, type WebhookSender, type WebhookSenderOptions } from "../src/webhooks/sender.ts";
import { acme } from "./fixture.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { openScene, type Scene } from "./scene.ts";

interface Neighbour {
  readonly url: string;
  readonly endpoints: number;
  readonly customers: number;
}

/** An outbox, endpoints, and senders with a clock that stands still. */
export interface WebhookScene extends Scene {
  /** Opens a receiver, which `clear` closes. */
  receiver(): Promise<Receiver>;
  addEndpoint(url: string, secret?: string, orgId?: bigint): Promise<string>;
  /** Writes events of a wallet, numbered from a number on. */
  tell(customer: string, ...numbers: readonly number[]): Promise<void>;
  /** Adds organisations, each with endpoints at a receiver and an event of each of some customers. */
  addNeighbours(count: number, neighbour: Neighbour): Promise<void>;
  send(options?: Partial<WebhookSenderOptions>): WebhookSender;
  /** Moves the clock, and looks for what is due. */
  pass(ms: number): void;
  /** What operators have been told. */
  readonly notices: readonly string[];
  /** Stops the senders, closes the receivers, and forgets endpoints, events and notices. */
  clear(): Promise<void>;
  rows<Row>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Resolves when the statement answers a row whose only column is true. */
  until(statement: string): Promise<void>;
}

export async function openWebhookScene(): Promise<WebhookScene> {
  const scene = await openScene(acme);
  const senders: WebhookSender[] = [];
  const receivers: Receiver[] = [];
  const notices: string[] = [];
  const at = () => new Date(scene.clock.now());
  const rows = async <Row>(statement: string, values: readonly unknown[] = []) =>
    (await scene.pool.query(statement, [...values])).rows as readonly Row[];
  const tell = (orgId: bigint, customer: string, numbers: readonly number[]) =>
    scene.database.transaction().execute((transaction) => {
      const key = { orgId, customerId: customer, currency: "ai_credits" };
      const events = numbers.map(
        (number): Told => ({ ...key, type: "wallet.low", data: { customer, number } }),
      );
      return writeEvents(transaction, events, at());
    });
  const webhooks: WebhookScene = {
    ...scene,
    notices,
    rows,
    async receiver() {
      const opened = await openReceiver();
      receivers.push(opened);
      return opened;
    },
    async addEndpoint(url, secret = generateSecret(), orgId = scene.orgId) {
      const endpointId = randomUUID();
      await rows(
        "insert into webhook_endpoints (org_id, endpoint_id, url, created_at) values ($1, $2, $3, $4)",
        [orgId, endpointId, url, at()],
      );
      await rows(
        "insert into webhook_secrets (org_id, endpoint_id, secret_id, secret, created_at) values ($1, $2, $3, $4, $5)",
        [orgId, endpointId, randomUUID(), secret, at()],
      );
      return endpointId;
    },
    tell: (customer, ...numbers) => tell(scene.orgId, customer, numbers),
    async addNeighbours(count, { url, endpoints, customers }) {
      for (let index = 0; index < count; index++) {
        const { org_id: orgId } = await scene.database
          .insertInto("organizations")
          .values({ name: `neighbour ${randomUUID()}`, created_at: at() })
          .returning("org_id")
          .executeTakeFirstOrThrow();
        for (let made = 0; made < endpoints; made++) await webhooks.addEndpoint(url, undefined, orgId);
        for (let told = 0; told < customers; told++) await tell(orgId, `customer-${told}`, [1]);
      }
    },
    send(options = {}) {
      const sender = startWebhookSender({
        database: scene.database,
        clock: scene.clock,
        networks: ["127.0.0.0/8"],
        allowHttp: true,
        pollMs: 20,
        stopMs: 50,
        random: noPauses,
        onError: (error) => notices.push(error instanceof Error ? error.message : String(error)),
        ...options,
      });
      senders.push(sender);
      return sender;
    },
    pass(ms) {
      scene.clock.time += ms;
      for (const sender of senders) sender.wake();
    },
    async until(statement) {
      for (;;) {
        const [row] = await rows<Record<string, unknown>>(statement);
        if (row !== undefined && Object.values(row)[0] === true) return;
        const failure = notices.find((notice) => !notice.startsWith("webhooks:"));
        if (failure !== undefined) throw new Error(failure);
        await new Promise(setImmediate);
      }
    },
    async clear() {
      await Promise.all(senders.splice(0).map((sender) => sender.stop()));
      await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
      await rows(
        "truncate webhook_endpoints, webhook_secrets, webhook_events, webhook_deliveries, webhook_streams",
      );
      notices.length = 0;
    },
    async close() {
      await webhooks.clear();
      await scene.close();
    },
  };
  return webhooks;
}
