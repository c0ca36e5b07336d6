import type { Transport } from "../../transport.ts";
import {
  type AdminLedgerEntry,
  type LedgerAnswer,
  type LedgerQuery,
  ledgerAnswer,
  ledgerQuery,
} from "../contract/ledger.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The ledger of an organisation: each change of a wallet, with its cause, the newest first. */
export type AdminLedger = Listing<LedgerQuery, LedgerAnswer, AdminLedgerEntry>;

export function createAdminLedger(transport: Transport, organization_id: string): AdminLedger {
  return createListing(
    transport,
    { organization_id },
    {
      endpoint: adminEndpoints.ledgerList,
      query: ledgerQuery,
      answer: ledgerAnswer,
      itemsOf: ({ entries }) => entries,
    },
  );
}
