import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { isAtTurnOfMonth, startOfMonth } from "../database/partitions.ts";
import { Problem } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";

const idempotencyHeader = "Idempotency-Key";

/** What a repeated request is recognised by. */
export interface RequestIdentity {
  readonly orgId: bigint;
  readonly key: string | undefined;
  readonly hash: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Nothing was done, so there is nothing to do only once: a repetition is performed again. */
  readonly idle?: boolean;
  /** Beyond those that all answers have. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** The key of a request. Printable ASCII, since it goes back in a header. */
export function idempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers["idempotency-key"];
  // Node joins a header that comes twice, and the comma with the blank is refused.
  return key === undefined ? undefined : checkedKey(String(key));
}

export function checkedKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid([
    {
      pointer: idempotencyHeader,
      detail: `expected 1 to 255 printable ASCII characters without spaces, received ${JSON.stringify(key.slice(0, 60))}`,
    },
  ]);
}

/** An echoed key shows that the service honours keys. */
export function echoKey(response: ServerResponse, key: string | undefined): void {
  if (key !== undefined) response.setHeader(idempotencyHeader, key);
}

/** Far more than any body of the API has, far less than a stack takes. */
const maxDepth = 64;

/** A hash of what a body says, whatever the order of its fields. */
export function hashOf(body: unknown): string {
  return hash("sha256", canonical(body, 0));
}

export function keyReused(key: string): Problem {
  return new Problem(
    422,
    "idempotency_key_reused",
    `${idempotencyHeader}: expected the body that first came with ${JSON.stringify(key)}, received another one`,
  );
}

/**
 * Does an operation once per key: a repeated key gets the first answer again. Both are of one transaction, so a second
 * request with the key waits for the first, and one that has failed or done nothing leaves no trace.
 */
export function once(
  database: Database,
  operation: string,
  identity: RequestIdentity,
  at: Date,
  perform: (transaction: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer> {
  const { orgId, key, hash } = identity;
  return database.transaction().execute(async (transaction) => {
    if (key === undefined) return perform(transaction);
    const isOurs = { org_id: orgId, operation, idempotency_key: key };
    if (await claim(transaction, operation, { orgId, key, hash }, at)) {
      const { idle = false, ...answer } = await perform(transaction);
      if (idle) await forget(transaction, isOurs);
      else
        await transaction
          .updateTable("idempotent_answers")
          .set(answer)
          .where((row) => row.and({ ...isOurs, created_at: at }))
          .execute();
      return answer;
    }
    const first = await transaction
      .selectFrom("idempotent_answers")
      .select(["request_hash", "status", "body"])
      .where((row) => row.and(isOurs))
      .executeTakeFirstOrThrow();
    if (first.request_hash !== hash) throw keyReused(key);
    if (first.status === null || first.body === null)
      throw new Error(`The answer of ${operation} is missing.`);
    return { status: first.status, body: first.body };
  });
}

interface AnswerKey {
  readonly org_id: bigint;
  readonly operation: string;
  readonly idempotency_key: string;
}

/** Takes a key that no month knows; a second request that takes it waits for the first. */
async function claim(
  transaction: DatabaseTransaction,
  operation: string,
  { orgId, key, hash }: RequestIdentity & { readonly key: string },
  at: Date,
): Promise<boolean> {
  const fresh = isAtTurnOfMonth(at)
    ? sql`keyed as (
            insert into answer_keys_at_turn (org_id, operation, idempotency_key, created_at)
            select org_id, operation, idempotency_key, created_at from asked
            on conflict do nothing
            returning org_id),
          fresh as (select asked.* from asked join keyed using (org_id))`
    : sql`fresh as (select * from asked)`;
  const { numAffectedRows = 0n } = await sql`
    with asked as (
           select ${orgId}::bigint as org_id, ${operation}::text as operation, ${key}::text as idempotency_key,
                  ${hash}::text as request_hash, ${at}::timestamptz as created_at
            where not was_answered(${orgId}, ${operation}, ${key}, ${startOfMonth(at)})),
         ${fresh}
    insert into idempotent_answers (org_id, operation, idempotency_key, request_hash, created_at)
    select org_id, operation, idempotency_key, request_hash, created_at from fresh
    on conflict do nothing`.execute(transaction);
  return numAffectedRows === 1n;
}

/** The key is free again. */
async function forget(transaction: DatabaseTransaction, key: AnswerKey): Promise<void> {
  await transaction
    .deleteFrom("idempotent_answers")
    .where((row) => row.and(key))
    .execute();
  await transaction
    .deleteFrom("answer_keys_at_turn")
    .where((row) => row.and(key))
    .execute();
}

function canonical(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth === maxDepth) {
    throw invalid([{ pointer: "/", detail: `expected at most ${maxDepth} levels, received more` }]);
  }
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join()}]`;
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, key);
    if (field === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonical(field, depth + 1)}`;
  }
  return `{${text}}`;
}
