import type { Database } from "../database/connection.ts";
import { createKeyset, readPart } from "../database/keyset.ts";
import { during } from "../database/span.ts";
import { listPart } from "../http/list.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["at", "timestamptz"],
  ["audit_id", "bigint"],
]);

/** The audit log, the newest first. */
export function auditHandlers(database: Database): Pick<AdminHandlers, "auditList"> {
  return {
    async auditList({ query }) {
      const { organization_id, action } = query;
      let selection = database.selectFrom("audit_log").selectAll().where(during("at", query));
      if (organization_id !== undefined) selection = selection.where("org_id", "=", BigInt(organization_id));
      if (action !== undefined) selection = selection.where("action", "=", action);
      const { rows, next } = await readPart(selection, newest, listPart(query));
      const records = rows.map(({ audit_id, org_id, at, actor, action, subject, before, after }) => ({
        auditId: Number(audit_id),
        organizationId: org_id === 0n ? null : String(org_id),
        at: at.toISOString(),
        actor,
        action,
        subject,
        before,
        after,
      }));
      return { status: 200, body: JSON.stringify({ records, next }) };
    },
  };
}
