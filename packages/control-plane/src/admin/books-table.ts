import { type BooksEndpoints, trialBalanceQuery } from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type BooksTable = { readonly [Of in keyof BooksEndpoints]: AdminServed & Readers<BooksEndpoints[Of]> };

/** The books; their journals are in the table of files. */
export const booksTable: BooksTable = {
  trialBalance: { scope: "read", query: { schema: trialBalanceQuery } },
};
