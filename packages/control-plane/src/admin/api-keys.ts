import { randomUUID } from "node:crypto";
import { apiKeyScopes } from "@creditgate/admin";
import type { Selectable } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { digest, generateApiKey, type KeyRing } from "../keys/key-ring.ts";
import { requireRoom } from "../limits/limits.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import type { Visitor } from "../people/person.ts";
import { requireRole } from "./admission.ts";
import type { AdminHandlers } from "./table.ts";

const day = 24 * 60 * 60;

type ApiKeyRow = Omit<Selectable<Tables["api_keys"]>, "key_hash" | "key_lookup">;

const columns = [
  "org_id",
  "key_id",
  "name",
  "scopes",
  "expires_at",
  "revoked_at",
  "last_used_at",
  "created_at",
  "created_by",
] as const;

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["key_id", "uuid"],
]);

/** API keys: shown once, when they are made; replaced with an overlap, or revoked at once. */
export function apiKeyHandlers(database: Database, keys: KeyRing) {
  return {
    async apiKeyList({ orgId, query }) {
      const apiKeys = database.selectFrom("api_keys").select(columns).where("org_id", "=", orgId);
      const { rows, next } = await readPart(apiKeys, byAge, listPart(query));
      return answer(200, { apiKeys: rows.map(record), next });
    },

    async apiKeyCreate({ orgId, actor, at, visitor, body: { name, scopes = apiKeyScopes, expiresAt } }) {
      requireScopes(visitor, scopes);
      const created = await database.transaction().execute(async (transaction) => {
        await requireRoom(transaction, orgId, "apiKeys", { at });
        const terms = {
          name,
          scopes: [...scopes],
          expires_at: instant(expiresAt ?? null),
          created_by: actor,
        };
        const key = await insertKey(transaction, orgId, terms, at);
        const change = { subject: key.row.key_id, after: record(key.row) };
        await audit(transaction, { orgId, actor, action: "api_key.create", ...change }, at);
        return key;
      });
      return answer(201, { ...record(created.row), apiKey: created.apiKey });
    },

    async apiKeyRotate({
      orgId,
      actor,
      at,
      visitor,
      params: { keyId },
      body: { overlapSeconds = day, expiresAt },
    }) {
      const created = await database.transaction().execute(async (transaction) => {
        const old = await lockKey(transaction, orgId, keyId);
        requireScopes(visitor, old.scopes);
        if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= at)) {
          throw new Problem(
            409,
            "api_key_ended",
            "expected a key that is valid, received one that has ended",
          );
        }
        // Before the overlap begins: those that are replaced go on counting until they end.
        if (overlapSeconds > 0) await requireRoom(transaction, orgId, "apiKeys", { at });
        const overlap = new Date(at.getTime() + overlapSeconds * 1_000);
        const end = old.expires_at !== null && old.expires_at < overlap ? old.expires_at : overlap;
        const expires_at = expiresAt === undefined ? old.expires_at : instant(expiresAt);
        const terms = { name: old.name, scopes: old.scopes, expires_at, created_by: actor };
        const key = await insertKey(transaction, orgId, terms, at);
        await transaction
          .updateTable("api_keys")
          .set({ expires_at: end })
          .where("org_id", "=", orgId)
          .where("key_id", "=", old.key_id)
          .execute();
        const change = { subject: old.key_id, before: record(old), after: record(key.row) };
        await audit(transaction, { orgId, actor, action: "api_key.rotate", ...change }, at);
        return { ...key, end };
      });
      keys.forget();
      return answer(201, {
        ...record(created.row),
        apiKey: created.apiKey,
        previousExpiresAt: created.end.toISOString(),
      });
    },

    async apiKeyRevoke({ orgId, actor, at, params: { keyId } }) {
      const key = await database.transaction().execute(async (transaction) => {
        const before = await lockKey(transaction, orgId, keyId);
        if (before.revoked_at !== null) return before;
        await transaction
          .updateTable("api_keys")
          .set({ revoked_at: at })
          .where("org_id", "=", orgId)
          .where("key_id", "=", before.key_id)
          .execute();
        const after = { ...before, revoked_at: at };
        const change = { subject: before.key_id, before: record(before), after: record(after) };
        await audit(transaction, { orgId, actor, action: "api_key.revoke", ...change }, at);
        return after;
      });
      keys.forget();
      return answer(200, record(key));
    },
  } satisfies Partial<AdminHandlers>;
}

/** Those of a gate. By any other a key does what takes the role of money: making one must take it, too. */
const gateScopes: readonly string[] = ["read", "usage"];

function requireScopes(visitor: Visitor, scopes: readonly string[]): void {
  if (!scopes.every((scope) => gateScopes.includes(scope))) requireRole(visitor, "money");
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

async function insertKey(
  transaction: DatabaseTransaction,
  orgId: bigint,
  terms: Pick<ApiKeyRow, "name" | "scopes" | "expires_at" | "created_by">,
  at: Date,
): Promise<{ readonly apiKey: string; readonly row: ApiKeyRow }> {
  const apiKey = generateApiKey();
  const { hash, lookup } = digest(apiKey);
  const row = await transaction
    .insertInto("api_keys")
    .values({
      org_id: orgId,
      key_id: randomUUID(),
      key_lookup: lookup,
      key_hash: hash,
      created_at: at,
      ...terms,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { apiKey, row };
}

async function lockKey(transaction: DatabaseTransaction, orgId: bigint, keyId: string): Promise<ApiKeyRow> {
  if (!isUuid(keyId)) throw unknown("api_key", keyId);
  const key = await transaction
    .selectFrom("api_keys")
    .select(columns)
    .where("org_id", "=", orgId)
    .where("key_id", "=", keyId)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) throw unknown("api_key", keyId);
  return key;
}

/** Nothing by which the key could be found out. */
function record(key: ApiKeyRow): JsonObject {
  return {
    keyId: key.key_id,
    name: key.name,
    scopes: key.scopes,
    createdAt: key.created_at.toISOString(),
    createdBy: key.created_by,
    expiresAt: key.expires_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
  };
}
