import { randomUUID } from "node:crypto";
import type { Event as Told } from "../src/events/event.ts";
import { writeEvents } from "../src/events/outbox.ts";
import { startWebhookSender, type WebhookSender, type WebhookSenderOptions } from "../src/webhooks/sender.ts";
import { generateSecret } from "../src/webhooks/signature.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

/** An outbox, endpoints, and senders with a clock that stands still. */
export interface WebhookScene extends Scene {
  addEndpoint(url: string, secret?: string): Promise<string>;
  /** Writes events of a wallet, numbered from a number on. */
  tell(customer: string, ...numbers: readonly number[]): Promise<void>;
  send(options?: Partial<WebhookSenderOptions>): WebhookSender;
  /** Moves the clock, and looks for what is due. */
  pass(ms: number): void;
  /** What operators have been told. */
  readonly notices: readonly string[];
  /** Stops the senders, and forgets endpoints, events and notices. */
  clear(): Promise<void>;
  rows<Row>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Resolves when the statement answers a row whose only column is true. */
  until(statement: string): Promise<void>;
}

export async function openWebhookScene(): Promise<WebhookScene> {
  const scene = await openScene(acme);
  const senders: WebhookSender[] = [];
  const notices: string[] = [];
  const at = () => new Date(scene.clock.now());
  const rows = async <Row>(statement: string, values: readonly unknown[] = []) =>
    (await scene.pool.query(statement, [...values])).rows as readonly Row[];
  return {
    ...scene,
    notices,
    rows,
    async addEndpoint(url, secret = generateSecret()) {
      const endpointId = randomUUID();
      await rows(
        "insert into webhook_endpoints (org_id, endpoint_id, url, created_at) values ($1, $2, $3, $4)",
        [scene.orgId, endpointId, url, at()],
      );
      await rows(
        "insert into webhook_secrets (org_id, endpoint_id, secret_id, secret, created_at) values ($1, $2, $3, $4, $5)",
        [scene.orgId, endpointId, randomUUID(), secret, at()],
      );
      return endpointId;
    },
    tell: (customer, ...numbers) =>
      scene.database.transaction().execute((transaction) => {
        const key = { orgId: scene.orgId, customerId: customer, currency: "ai_credits" };
        const events = numbers.map(
          (number): Told => ({ ...key, type: "wallet.low", data: { customer, number } }),
        );
        return writeEvents(transaction, events, at());
      }),
    send(options = {}) {
      const sender = startWebhookSender({
        database: scene.database,
        clock: scene.clock,
        networks: ["127.0.0.0/8"],
        allowHttp: true,
        pollMs: 20,
        stopMs: 50,
        random: () => 0,
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
      await rows(
        "truncate webhook_endpoints, webhook_secrets, webhook_events, webhook_deliveries, webhook_streams",
      );
      notices.length = 0;
    },
    async close() {
      await Promise.all(senders.map((sender) => sender.stop()));
      await scene.close();
    },
  };
}
