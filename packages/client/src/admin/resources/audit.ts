import type { Transport } from "../../transport.ts";
import {
  type AdminAuditRecord,
  type AuditAnswer,
  type AuditQuery,
  auditAnswer,
  auditQuery,
} from "../contract/audit.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** Who changed money or keys, of one organisation or of all, the newest first. */
export type AdminAudit = Listing<AuditQuery, AuditAnswer, AdminAuditRecord>;

export function createAdminAudit(transport: Transport): AdminAudit {
  return createListing(transport, undefined, {
    endpoint: adminEndpoints.auditList,
    query: auditQuery,
    answer: auditAnswer,
    itemsOf: ({ records }) => records,
  });
}
