import type { AuditFilter } from "@creditgate/admin";
import { sql } from "kysely";
import type { Json } from "../http/json.ts";
import { createKeyset, during, listHandler, type RecordList, readPartOfLarge } from "../lists/keyset.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["at", "timestamptz"],
  ["audit_id", "bigint"],
]);

/** Prices that name many models are in it as they were before and after. */
const bytes = sql<number>`coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)`;

/** The audit log, the newest first: of an organisation where the query names one. */
export const listAudit: RecordList<AuditFilter> = async (database, { query }, part) => {
  const { organizationId, actor, action } = query;
  let selection = database
    .selectFrom("audit_log")
    .selectAll()
    .select(bytes.as("bytes"))
    .where(during("at", query));
  if (organizationId !== undefined) selection = selection.where("org_id", "=", BigInt(organizationId));
  if (actor !== undefined) selection = selection.where("actor", "=", actor);
  if (action !== undefined) selection = selection.where("action", "=", action);
  const { rows, next } = await readPartOfLarge(selection, newest, part, (row) => row.bytes);
  const records = rows.map(({ audit_id, org_id, at, actor, action, subject, before, after }) => ({
    auditId: Number(audit_id),
    organizationId: org_id === 0n ? null : String(org_id),
    at: at.toISOString(),
    actor,
    action,
    // The columns are JSON.
    subject: subject as Json,
    before: before as Json,
    after: after as Json,
  }));
  return { records, next };
};

/** Who changed money, prices or keys. */
export const auditHandlers: Pick<AdminHandlers, "auditList"> = {
  auditList: listHandler("records", listAudit),
};
