import type { CallOptions } from "../../call.ts";
import { call } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import { booksEndpoints } from "../books-endpoints.ts";
import {
  type TrialBalance,
  type TrialBalanceQuery,
  trialBalance,
  trialBalanceQuery,
} from "../contract/books.ts";

/** The books of an organisation. Their journals are the files `moneyJournalCsv` and `creditsJournalCsv` of `csvEndpoints`. */
export interface AdminBooks {
  /** The sums of a journal by account, of a span or of all that was posted before `to`. Reads each entry of it. Retried. */
  balance(query: TrialBalanceQuery, options?: CallOptions): Promise<TrialBalance>;
}

export function createAdminBooks(transport: Transport, organization_id: string): AdminBooks {
  const endpoint = booksEndpoints.trialBalance;
  return {
    async balance(wanted, options) {
      const query = Object.fromEntries(Object.entries(checkInput(endpoint, trialBalanceQuery, wanted)));
      return call(transport, endpoint, trialBalance, { params: { organization_id }, query }, options);
    },
  };
}
