import type { CallOptions } from "../../call.ts";
import { call } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminLedgerEntry,
  type LedgerAnswer,
  type LedgerQuery,
  ledgerAnswer,
  ledgerQuery,
} from "../contract/ledger.ts";
import { adminEndpoints } from "../endpoints.ts";
import { newestFirst } from "../pages.ts";

/** The ledger of an organisation: each change of a wallet, with its cause. */
export interface AdminLedger {
  /** Entries, the newest first, or those before one. Retried. */
  list(query?: LedgerQuery, options?: CallOptions): Promise<LedgerAnswer>;
  /** Entry after entry, the newest first. */
  all(query?: LedgerQuery, options?: CallOptions): AsyncGenerator<AdminLedgerEntry, void, undefined>;
}

export function createAdminLedger(transport: Transport, organization_id: string): AdminLedger {
  const endpoint = adminEndpoints.ledgerList;
  async function list(query: LedgerQuery = {}, options?: CallOptions): Promise<LedgerAnswer> {
    const input = { params: { organization_id }, query: { ...checkInput(endpoint, ledgerQuery, query) } };
    return call(transport, endpoint, ledgerAnswer, input, options);
  }
  return {
    list,
    all: (query = {}, options) =>
      newestFirst(
        async (before = query.before) => {
          const { entries, limit } = await list({ ...query, before }, options);
          return { items: entries, limit };
        },
        ({ entryId }) => entryId,
      ),
  };
}
