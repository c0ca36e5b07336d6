import { type Endpoint, reads } from "../endpoint.ts";
import type { TrialBalanceQuery } from "./contract/books.ts";

/** The books; their journals are files. */
export interface BooksEndpoints {
  readonly trialBalance: Endpoint<undefined, TrialBalanceQuery>;
}

export const booksEndpoints: BooksEndpoints = {
  trialBalance: reads("trialBalance", "/admin/api/organizations/{organization_id}/books/balance"),
};
