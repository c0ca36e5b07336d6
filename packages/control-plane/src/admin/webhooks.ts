import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { WebhookTables } from "../database/webhook-tables.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { requireRoom } from "../limits/limits.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import type { UrlRule } from "../webhooks/post.ts";
import { type EndpointKey, tryNow } from "../webhooks/replay.ts";
import { addSecret, endSecrets } from "../webhooks/secrets.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

type EndpointRow = Selectable<WebhookTables["webhook_endpoints"]>;

const daySeconds = 24 * 60 * 60;

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["endpoint_id", "uuid"],
]);

/** Webhook endpoints: created with a secret that is shown once, edited, disabled, deleted. */
export function webhookHandlers(database: Database, refusalOf: UrlRule) {
  const requireUrl = (url: string): void => {
    const refusal = refusalOf(new URL(url));
    if (refusal !== undefined) throw new Problem(422, "url_refused", `url: ${refusal}`);
  };

  return {
    async webhookList({ orgId, query }) {
      const endpoints = database.selectFrom("webhook_endpoints").selectAll().where("org_id", "=", orgId);
      const { rows, next } = await readPart(endpoints, byAge, listPart(query));
      return answer(200, { endpoints: rows.map(described), next });
    },

    async webhookCreate({ orgId, actor, at, body: { url, description = null, events = null } }) {
      requireUrl(url);
      const key = { orgId, endpointId: randomUUID() };
      const created = await database.transaction().execute(async (transaction) => {
        await requireRoom(transaction, orgId, "webhooks", { at });
        const row = await transaction
          .insertInto("webhook_endpoints")
          .values({
            org_id: orgId,
            endpoint_id: key.endpointId,
            url,
            description,
            events: events === null ? null : [...events],
            created_at: at,
            failing_since: null,
            disabled_at: null,
            disabled_why: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const change = { subject: key.endpointId, after: record(row) };
        await audit(transaction, { orgId, actor, action: "webhook.create", ...change }, at);
        return { ...described(row), secret: await addSecret(transaction, key, at) };
      });
      return answer(201, created);
    },

    async webhookEdit(call) {
      const {
        orgId,
        at,
        params: { endpointId },
        body: { url, description, events, status },
      } = call;
      if (url !== undefined) requireUrl(url);
      const key = { orgId, endpointId };
      const endpoint = await database.transaction().execute(async (transaction) => {
        const before = await lockEndpoint(transaction, key);
        const next = {
          url: url ?? before.url,
          description: description === undefined ? before.description : description,
          events: events === undefined ? before.events : events && [...events],
          ...(status === undefined ? {} : statusChange(before, status, at)),
        };
        const after = { ...before, ...next };
        await changeEndpoint(transaction, key, next);
        // Mended, or so it is meant: what has failed before need not wait for its turn.
        if (after.disabled_at === null) await tryNow(transaction, key, at);
        const change = { orgId, subject: endpointId, before: record(before), after: record(after) };
        await auditEdit(transaction, call, { action: "webhook.edit", current: described(before), ...change });
        return after;
      });
      return answer(200, described(endpoint));
    },

    async webhookDelete({ orgId, actor, at, params: { endpointId } }) {
      const key = { orgId, endpointId };
      const endpoint = await database.transaction().execute(async (transaction) => {
        const before = await lockEndpoint(transaction, key);
        await transaction
          .deleteFrom("webhook_endpoints")
          .where("org_id", "=", orgId)
          .where("endpoint_id", "=", endpointId)
          .execute();
        const change = { subject: endpointId, before: record(before) };
        await audit(transaction, { orgId, actor, action: "webhook.delete", ...change }, at);
        return before;
      });
      return answer(200, record(endpoint));
    },

    async webhookRotate({ orgId, actor, at, params: { endpointId }, body: { overlapSeconds = daySeconds } }) {
      const key = { orgId, endpointId };
      const end = new Date(at.getTime() + overlapSeconds * 1_000);
      const rotated = await database.transaction().execute(async (transaction) => {
        const row = await lockEndpoint(transaction, key);
        await endSecrets(transaction, key, end, at);
        const previousEndAt = end.toISOString();
        const change = { subject: endpointId, after: { previousEndAt } };
        await audit(transaction, { orgId, actor, action: "webhook.rotate_secret", ...change }, at);
        return { ...described(row), secret: await addSecret(transaction, key, at), previousEndAt };
      });
      return answer(201, rotated);
    },
  } satisfies Partial<AdminHandlers>;
}

/** Locks an endpoint; a 404 where the organisation has none of this ID. */
export async function lockEndpoint(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
): Promise<EndpointRow> {
  const endpoint = isUuid(endpointId)
    ? await transaction
        .selectFrom("webhook_endpoints")
        .selectAll()
        .where("org_id", "=", orgId)
        .where("endpoint_id", "=", endpointId)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (endpoint === undefined) throw unknown("webhook", endpointId);
  return endpoint;
}

/** One that is enabled again begins anew: how long it has failed before counts no more. */
function statusChange(
  before: EndpointRow,
  status: "enabled" | "disabled",
  at: Date,
): Pick<EndpointRow, "disabled_at" | "disabled_why"> & Partial<Pick<EndpointRow, "failing_since">> {
  if (status === "enabled") return { disabled_at: null, disabled_why: null, failing_since: null };
  const { disabled_at, disabled_why } = before;
  return { disabled_at: disabled_at ?? at, disabled_why: disabled_why ?? "administrator" };
}

async function changeEndpoint(
  transaction: DatabaseTransaction,
  { orgId, endpointId }: EndpointKey,
  next: Partial<EndpointRow>,
): Promise<void> {
  await transaction
    .updateTable("webhook_endpoints")
    .set(next)
    .where("org_id", "=", orgId)
    .where("endpoint_id", "=", endpointId)
    .execute();
}

function described(endpoint: EndpointRow): TaggedRecord {
  return tagged("webhook.edit", record(endpoint));
}

/** Nothing by which messages could be signed. */
function record(endpoint: EndpointRow): JsonObject {
  return {
    endpointId: endpoint.endpoint_id,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    status: endpoint.disabled_at === null ? "enabled" : "disabled",
    disabledBecause: endpoint.disabled_why,
    disabledAt: endpoint.disabled_at?.toISOString() ?? null,
    failingSince: endpoint.failing_since?.toISOString() ?? null,
    createdAt: endpoint.created_at.toISOString(),
  };
}
