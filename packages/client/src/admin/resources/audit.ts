import type { CallOptions } from "../../call.ts";
import { call } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminAuditRecord,
  type AuditAnswer,
  type AuditQuery,
  auditAnswer,
  auditQuery,
} from "../contract/audit.ts";
import { adminEndpoints } from "../endpoints.ts";
import { newestFirst } from "../pages.ts";

/** Who changed money or keys, of one organisation or of all. */
export interface AdminAudit {
  /** Records, the newest first, or those before one. Retried. */
  list(query?: AuditQuery, options?: CallOptions): Promise<AuditAnswer>;
  /** Record after record, the newest first. */
  all(query?: AuditQuery, options?: CallOptions): AsyncGenerator<AdminAuditRecord, void, undefined>;
}

export function createAdminAudit(transport: Transport): AdminAudit {
  const endpoint = adminEndpoints.auditList;
  async function list(query: AuditQuery = {}, options?: CallOptions): Promise<AuditAnswer> {
    const input = { query: { ...checkInput(endpoint, auditQuery, query) } };
    return call(transport, endpoint, auditAnswer, input, options);
  }
  return {
    list,
    all: (query = {}, options) =>
      newestFirst(
        async (before = query.before) => {
          const { records, limit } = await list({ ...query, before }, options);
          return { items: records, limit };
        },
        ({ auditId }) => auditId,
      ),
  };
}
