import { type Endpoint, ensures, reads } from "../endpoint.ts";
import type { IssuerSetRequest } from "./contract/issuer.ts";
import type { PartQuery } from "./contract/part.ts";

/** The documents that are answered as a page of HTML, to be printed. */
export interface PrintEndpoints {
  readonly invoicePrint: Endpoint<undefined, undefined, "invoice_id">;
  readonly creditNotePrint: Endpoint<undefined, undefined, "credit_note_id">;
}

/** Who issues documents. */
export interface DocumentEndpoints {
  readonly issuerList: Endpoint<undefined, PartQuery>;
  readonly issuerSet: Endpoint<IssuerSetRequest, undefined>;
}

const organization = "/admin/api/organizations/{organization_id}";

export const printEndpoints: PrintEndpoints = {
  invoicePrint: reads("invoicePrint", `${organization}/invoices/{invoice_id}/print`),
  creditNotePrint: reads("creditNotePrint", `${organization}/credit-notes/{credit_note_id}/print`),
};

export const documentEndpoints: DocumentEndpoints = {
  issuerList: reads("issuerList", `${organization}/issuers`),
  // What holds already is no new version.
  issuerSet: ensures("issuerSet", `${organization}/issuers`),
};
