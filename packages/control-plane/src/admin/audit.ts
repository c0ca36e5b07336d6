import type { Database } from "../database/connection.ts";
import { rowsOf, usualLimit } from "./scope.ts";
import type { AdminHandlers } from "./table.ts";

/** The audit log, the newest first. */
export function auditHandlers(database: Database): Pick<AdminHandlers, "auditList"> {
  return {
    async auditList({ query: { before, limit = usualLimit, organization_id } }) {
      let selection = database.selectFrom("audit_log").selectAll();
      if (before !== undefined) selection = selection.where("audit_id", "<", BigInt(before));
      if (organization_id !== undefined) {
        selection = selection.where(rowsOf(BigInt(organization_id))).orderBy("org_id", "desc");
      }
      const rows = await selection.orderBy("audit_id", "desc").limit(limit).execute();
      const records = rows.map(({ audit_id, org_id, at, ...rest }) => ({
        auditId: Number(audit_id),
        organizationId: org_id === null ? null : String(org_id),
        at: at.toISOString(),
        ...rest,
      }));
      return { status: 200, body: JSON.stringify({ records, limit }) };
    },
  };
}
