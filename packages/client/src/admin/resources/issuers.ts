import type { CallOptions } from "../../call.ts";
import { posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminIssuer,
  adminIssuer,
  type IssuerListAnswer,
  type IssuerSetRequest,
  issuerListAnswer,
  issuerSetRequest,
} from "../contract/issuer.ts";
import { type PartQuery, partQuery } from "../contract/part.ts";
import { documentEndpoints } from "../document-endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** Who has issued, and will issue, the documents of an organisation, the last to hold first. */
export interface AdminIssuers extends Listing<PartQuery, IssuerListAnswer, AdminIssuer> {
  /**
   * Sets who issues invoices and credit notes from an instant on; what is numbered already keeps its own. What holds
   * already is no new version. 422 `valid_from_past`. Retried.
   */
  set(issuer: IssuerSetRequest, options?: CallOptions): Promise<AdminIssuer>;
}

export function createAdminIssuers(transport: Transport, organization_id: string): AdminIssuers {
  const params = { organization_id };
  return {
    ...createListing(transport, params, {
      endpoint: documentEndpoints.issuerList,
      query: partQuery,
      answer: issuerListAnswer,
      itemsOf: ({ issuers }) => issuers,
    }),
    set: posting(transport, params)(documentEndpoints.issuerSet, issuerSetRequest, adminIssuer),
  };
}
