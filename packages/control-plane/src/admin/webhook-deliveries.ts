import type { WebhookReplayRequest } from "@creditgate/admin";
import { type Selectable, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { timedId } from "../database/timed-id.ts";
import type { WebhookTables } from "../database/webhook-tables.ts";
import { answer } from "../endpoint/call.ts";
import type { Json, JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, during, listPart, readPart } from "../lists/keyset.ts";
import { replayDays } from "../webhooks/housekeeping.ts";
import { type EndpointKey, queueAgain, tryNow } from "../webhooks/replay.ts";
import { day } from "../webhooks/schedule.ts";
import type { AdminHandlers } from "./table.ts";
import { lockEndpoint } from "./webhooks.ts";

/** Events that one request sends again at most. */
const replaySize = 10_000;

const newest = createKeyset("desc", [
  ["delivery.created_at", "timestamptz"],
  ["delivery.sequence", "bigint"],
  ["delivery.endpoint_id", "uuid"],
]);

const oldest = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["event_id", "uuid"],
]);

/** Lists the deliveries of endpoints, and sends them again. */
export function webhookDeliveryHandlers(database: Database) {
  return {
    async webhookDeliveryList({ orgId, query }) {
      const { endpointId, status, type, customerId } = query;
      if (endpointId !== undefined && !isUuid(endpointId)) throw unknown("webhook", endpointId);
      let selection = selectDeliveries(database, orgId).where(during("delivery.created_at", query));
      if (endpointId !== undefined) selection = selection.where("delivery.endpoint_id", "=", endpointId);
      if (customerId !== undefined) selection = selection.where("delivery.customer_id", "=", customerId);
      if (type !== undefined) selection = selection.where("delivery.type", "=", type);
      // The condition of the index of what is rare, in the words of the index.
      if (status !== undefined && status !== "delivered")
        selection = selection.where(sql<boolean>`delivery.status <> 'delivered'`);
      if (status !== undefined) selection = selection.where("delivery.status", "=", status);
      const { rows, next } = await readPart(selection, newest, listPart(query));
      return answer(200, { deliveries: rows.map(record), next });
    },

    async webhookReplay({ orgId, actor, at, params: { endpointId }, body }) {
      const key = { orgId, endpointId };
      const answered = await database.transaction().execute(async (transaction) => {
        const { events } = await lockEnabled(transaction, key);
        const { ids, next } = await chosenBy(transaction, orgId, body, events, at);
        const replayed = await queueAgain(transaction, key, ids, at);
        await tryNow(transaction, key, at);
        const after = { ...spanOf(body), replayed };
        await audit(transaction, { orgId, actor, action: "webhook.replay", subject: endpointId, after }, at);
        return { replayed, next };
      });
      return answer(200, answered);
    },

    async webhookTest({ orgId, actor, at, params: { endpointId } }) {
      const key = { orgId, endpointId };
      const eventId = timedId(at);
      await database.transaction().execute(async (transaction) => {
        await lockEnabled(transaction, key);
        const event = { type: "webhook.test", timestamp: at.toISOString(), data: { endpointId } };
        await transaction
          .insertInto("webhook_events")
          .values({
            org_id: orgId,
            event_id: eventId,
            type: event.type,
            customer_id: "",
            currency: "",
            body: JSON.stringify(event),
            created_at: at,
          })
          .execute();
        await queueAgain(transaction, key, [eventId], at);
        const change = { subject: endpointId, after: { eventId } };
        await audit(transaction, { orgId, actor, action: "webhook.test", ...change }, at);
      });
      return answer(202, { eventId });
    },
  } satisfies Partial<AdminHandlers>;
}

async function lockEnabled(
  transaction: DatabaseTransaction,
  key: EndpointKey,
): Promise<{ readonly events: readonly string[] | null }> {
  const endpoint = await lockEndpoint(transaction, key);
  if (endpoint.disabled_at === null) return endpoint;
  throw new Problem(
    409,
    "webhook_disabled",
    "expected an endpoint that is enabled, received one that is not",
  );
}

/** The events that are asked for, and where the rest begins. Tests are sent again by their ID alone. */
async function chosenBy(
  transaction: DatabaseTransaction,
  orgId: bigint,
  request: WebhookReplayRequest,
  types: readonly string[] | null,
  at: Date,
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  const events = transaction.selectFrom("webhook_events").select("event_id").where("org_id", "=", orgId);
  if ("eventId" in request) {
    const { eventId } = request;
    const found = isUuid(eventId) && (await events.where("event_id", "=", eventId).executeTakeFirst());
    if (!found) throw unknown("event", eventId);
    return { ids: [eventId], next: null };
  }
  const { since, until, cursor } = request;
  if (at.getTime() - Date.parse(since) > replayDays * day) {
    const detail = `expected an instant that is at most ${replayDays} days ago, received ${since}`;
    throw invalid([{ pointer: "/since", detail }]);
  }
  let selection = events
    .where(during("created_at", { from: since, to: until }))
    .where("type", "<>", "webhook.test");
  if (types !== null) selection = selection.where("type", "in", types);
  const { rows, next } = await readPart(selection, oldest, { limit: replaySize, cursor });
  return { ids: rows.map(({ event_id }) => event_id), next };
}

function spanOf(request: WebhookReplayRequest): JsonObject {
  return "eventId" in request
    ? { eventId: request.eventId }
    : { since: request.since, until: request.until ?? null };
}

function selectDeliveries(database: Database, orgId: bigint) {
  return database
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_events as event", (join) =>
      join.onRef("event.org_id", "=", "delivery.org_id").onRef("event.event_id", "=", "delivery.event_id"),
    )
    .selectAll("delivery")
    .select("event.body")
    .select(nextAttempt.as("next_attempt_at"))
    .where("delivery.org_id", "=", orgId);
}

/** Only the first of a wallet's events is tried; while it is, that says when its attempt is taken for lost. */
const nextAttempt = sql<Date | null>`
  case when delivery.status = 'pending' then (
    select due_at from webhook_streams as stream
     where (stream.org_id, stream.endpoint_id, stream.customer_id, stream.currency)
         = (delivery.org_id, delivery.endpoint_id, delivery.customer_id, delivery.currency)
       and not exists (select from webhook_deliveries as earlier
                        where (earlier.org_id, earlier.endpoint_id, earlier.customer_id, earlier.currency)
                            = (delivery.org_id, delivery.endpoint_id, delivery.customer_id, delivery.currency)
                          and earlier.status = 'pending' and earlier.sequence < delivery.sequence)) end`;

type DeliveryRow = Selectable<WebhookTables["webhook_deliveries"]> & {
  readonly body: string;
  readonly next_attempt_at: Date | null;
};

function record(delivery: DeliveryRow): JsonObject {
  return {
    eventId: delivery.event_id,
    endpointId: delivery.endpoint_id,
    type: delivery.type,
    customerId: delivery.customer_id || null,
    creditCurrencyKey: delivery.currency || null,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: delivery.created_at.toISOString(),
    attemptedAt: delivery.attempted_at?.toISOString() ?? null,
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
    durationMs: delivery.duration_ms,
    responseStatus: delivery.response_status,
    response: delivery.response,
    error: delivery.error,
    event: JSON.parse(delivery.body) as Json,
  };
}
