import {
  adminOrderFilter,
  auditFilter,
  type CsvEndpoints,
  creditNoteFilter,
  customerFilter,
  invoiceFilter,
  ledgerFilter,
  usageFilter,
  walletFilter,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type CsvTable = { readonly [Of in keyof CsvEndpoints]: AdminServed & Readers<CsvEndpoints[Of]> };

/** The lists that are answered as files: they take what the lists take. */
export const csvTable: CsvTable = {
  customerCsv: { scope: "read", query: { schema: customerFilter } },
  walletCsv: { scope: "read", query: { schema: walletFilter } },
  usageCsv: { scope: "read", query: { schema: usageFilter } },
  ledgerCsv: { scope: "read", query: { schema: ledgerFilter } },
  orderCsv: { scope: "read", query: { schema: adminOrderFilter } },
  invoiceCsv: { scope: "read", query: { schema: invoiceFilter } },
  creditNoteCsv: { scope: "read", query: { schema: creditNoteFilter } },
  auditCsv: { scope: "read", query: { schema: auditFilter } },
};
