import { Router } from "express";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { sendText } from "../http/json.ts";
import { older, parseQuery, rowsOf } from "./scope.ts";

const query = z.object({
  ...older,
  organization_id: z
    .string()
    .regex(/^\d{1,18}$/, "expected the ID of an organisation")
    .optional(),
});

/** The audit log, the newest first. */
export function auditRoutes(database: Database): Router {
  const router = Router();

  router.get("/admin/api/audit", async (request, response) => {
    const { before, limit, organization_id } = parseQuery(query, request);
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
    sendText(response, 200, JSON.stringify({ records, limit }));
  });

  return router;
}
