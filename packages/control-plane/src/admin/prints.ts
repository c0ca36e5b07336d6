import type { Database } from "../database/connection.ts";
import { printCreditNote } from "../documents/credit-note.ts";
import { type Printed, printInvoice } from "../documents/invoice.ts";
import { contentSecurityPolicy } from "../documents/style.ts";
import type { PageAnswer } from "../http/page-answer.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import type { AdminHandlers } from "./table.ts";

/** Invoices and credit notes as pages, to be printed, or saved as PDF by a browser. */
export function printHandlers(database: Database) {
  return {
    async invoicePrint({ orgId, params: { invoiceId: id } }) {
      return pageOf("invoice", id, isUuid(id) ? await printInvoice(database, orgId, id) : absent);
    },

    async creditNotePrint({ orgId, params: { creditNoteId: id } }) {
      return pageOf("credit_note", id, isUuid(id) ? await printCreditNote(database, orgId, id) : absent);
    },
  } satisfies Partial<AdminHandlers>;
}

const absent: Printed = { printed: false, reason: "unknown" };

function pageOf(what: "invoice" | "credit_note", id: string, document: Printed): PageAnswer {
  if (document.printed)
    return { status: 200, page: document.page, name: document.number, contentSecurityPolicy };
  switch (document.reason) {
    case "unknown":
      throw unknown(what, id);
    case "issuer_missing":
      throw new Problem(
        409,
        "issuer_missing",
        "issuer: expected one whose name and address are on the document, received none: set it first (POST …/issuers)",
      );
  }
}
