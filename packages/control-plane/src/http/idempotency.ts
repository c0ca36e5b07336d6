import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExpressionBuilder } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { Problem } from "./problem.ts";
import { invalid } from "./validation.ts";

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

/** An answer that carries its key tells that the service honours keys. */
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
    const inserted = await transaction
      .insertInto("idempotent_answers")
      .values({
        org_id: orgId,
        operation,
        idempotency_key: key,
        request_hash: hash,
        status: null,
        body: null,
        created_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 1n) {
      const { idle = false, ...answer } = await perform(transaction);
      const isOurs = (row: ExpressionBuilder<Tables, "idempotent_answers">) =>
        row.and({ org_id: orgId, operation, idempotency_key: key });
      await (idle
        ? transaction.deleteFrom("idempotent_answers").where(isOurs).execute()
        : transaction.updateTable("idempotent_answers").set(answer).where(isOurs).execute());
      return answer;
    }
    const first = await transaction
      .selectFrom("idempotent_answers")
      .select(["request_hash", "status", "body"])
      .where("org_id", "=", orgId)
      .where("operation", "=", operation)
      .where("idempotency_key", "=", key)
      .executeTakeFirstOrThrow();
    if (first.request_hash !== hash) throw keyReused(key);
    if (first.status === null || first.body === null)
      throw new Error(`The answer of ${operation} is missing.`);
    return { status: first.status, body: first.body };
  });
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
