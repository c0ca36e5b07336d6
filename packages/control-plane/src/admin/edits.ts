import { hash } from "node:crypto";
import { type AdminEndpoint, adminEndpoints, type FieldEdit } from "@creditgate/admin";
import { z } from "zod";
import { type AuditRecord, auditAll, type EditAction } from "../audit/audit-log.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import { hashOf } from "../endpoint/idempotency.ts";
import { type JsonObject, stringify } from "../http/json.ts";
import { Problem } from "../http/problem.ts";

/** The fields of an edit, but for its `etag`. */
function fieldsOf({ body }: AdminEndpoint): readonly string[] {
  return body instanceof z.ZodObject ? Object.keys(body.shape).filter((field) => field !== "etag") : [];
}

/** What an edit may change of a record; of records that have versions, only which one is the newest. */
export const editable: Readonly<Record<EditAction, readonly string[]>> = {
  "agent.edit": fieldsOf(adminEndpoints.agentEdit),
  "budget.set": fieldsOf(adminEndpoints.budgetSet),
  "currency.set": ["name", "unitPrice"],
  "customer.edit": fieldsOf(adminEndpoints.customerEdit),
  "issuer.set": ["version"],
  "member.edit": fieldsOf(adminEndpoints.memberEdit),
  "organization.limits": fieldsOf(adminEndpoints.limitSet),
  "organization.settings": fieldsOf(adminEndpoints.organizationSettings),
  "price.set": ["version"],
  "user.edit": fieldsOf(adminEndpoints.userEdit),
  "wallet.limits": fieldsOf(adminEndpoints.walletLimits),
  "webhook.edit": fieldsOf(adminEndpoints.webhookEdit),
};

/** A record with its `etag`. */
export type TaggedRecord<Of extends JsonObject = JsonObject> = Of & { readonly etag: string };

/** The record with its `etag`: a part for each field that can be edited, so that it shows which of them have changed. */
export function tagged<Of extends JsonObject>(action: EditAction, record: Of): TaggedRecord<Of> {
  const parts = editable[action].map((field) =>
    hash("sha256", stringify(record[field] ?? null), "base64url").slice(0, 8),
  );
  return { ...record, etag: parts.join(".") };
}

/** An edit: who made it, by which request. */
interface EditCall {
  readonly actor: string;
  readonly at: Date;
  readonly body: { readonly etag?: string | undefined };
}

interface Edited extends Pick<AuditRecord, "orgId" | "subject" | "before" | "after"> {
  readonly action: EditAction;
  /** The record before the edit, as it is answered: `undefined` if there was none. */
  readonly current: TaggedRecord | undefined;
}

/**
 * Notes an edit in the transaction that makes it, which has locked the record. Throws a 409 for one that was made from the
 * record as it was before someone else's edit.
 */
export async function auditEdit(
  transaction: DatabaseTransaction,
  { actor, at, body }: EditCall,
  edited: Edited,
): Promise<void> {
  const { action, orgId, subject, before, after } = edited;
  const current = edited.current ?? tagged(action, {});
  const { etag } = current;
  if (body.etag !== undefined && body.etag !== etag) {
    const seen = body.etag.split(".");
    const parts = etag.split(".");
    const fields = editable[action].filter((_, index) => seen[index] !== parts[index]);
    throw conflict(await lastEdits(transaction, edited, fields), current);
  }
  const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  await auditAll(transaction, [{ orgId, actor, action, subject, ...change }], at);
}

function conflict(edits: readonly FieldEdit[], current: JsonObject): Problem {
  const changes = edits.map(({ by, at, fields }) =>
    [by ?? "someone", "changed", fields.join(", "), ...(at === null ? [] : ["at", at])].join(" "),
  );
  return new Problem(
    409,
    "edit_conflict",
    `the record has changed since it was read: ${changes.join("; ")}`,
    { further: { conflict: { edits: edits.map((edit) => ({ ...edit })), current } } },
  );
}

/** Records of the organisation in which the last edit of a field is looked for: enough for the time that a form is open. */
const mostSearched = 1_000;

/** Who has edited each of these fields last. */
async function lastEdits(
  transaction: DatabaseTransaction,
  { action, orgId = 0n, subject }: Edited,
  fields: readonly string[],
): Promise<readonly FieldEdit[]> {
  const noun = action.slice(0, action.indexOf("."));
  const newest = await transaction
    .selectFrom("audit_log")
    .select(["actor", "action", "at", "subject", "before", "after"])
    .where("org_id", "=", orgId)
    .orderBy("at", "desc")
    .orderBy("audit_id", "desc")
    .limit(mostSearched)
    .execute();
  const same = hashOf(JSON.parse(stringify(subject)));
  const sought = new Set(fields);
  const edits: FieldEdit[] = [];
  for (const record of newest) {
    if (!record.action.startsWith(`${noun}.`)) continue;
    // Each version of the issuer is a subject of its own.
    if (action !== "issuer.set" && hashOf(record.subject) !== same) continue;
    const touched = touchedBy(record, sought);
    if (touched.length === 0) continue;
    for (const field of touched) sought.delete(field);
    edits.push({ by: record.actor, at: record.at.toISOString(), fields: touched });
  }
  return sought.size === 0 ? edits : [...edits, { by: null, at: null, fields: [...sought] }];
}

/** Of the fields those that are another after the change. A record without what was before may name them: `changed`. */
function touchedBy(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  fields: ReadonlySet<string>,
): readonly string[] {
  const [was, is] = [asObject(before), asObject(after)];
  const named: unknown = is.changed;
  return [...fields].filter((field) =>
    Array.isArray(named) ? named.includes(field) : hashOf(was[field]) !== hashOf(is[field]),
  );
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
