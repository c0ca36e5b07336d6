import {
  adminOrderFilter,
  auditFilter,
  type CsvEndpoints,
  creditNoteFilter,
  customerFilter,
  invoiceFilter,
  journalFilter,
  ledgerFilter,
  usageFilter,
  walletFilter,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type CsvTable = { readonly [Of in keyof CsvEndpoints]: AdminServed & Readers<CsvEndpoints[Of]> };

const file = { scope: "read", isFile: true } as const;

/** The lists and journals that are answered as files: lists take what they take otherwise. */
export const csvTable: CsvTable = {
  customerCsv: { ...file, query: { schema: customerFilter } },
  walletCsv: { ...file, query: { schema: walletFilter } },
  usageCsv: { ...file, query: { schema: usageFilter } },
  ledgerCsv: { ...file, query: { schema: ledgerFilter } },
  orderCsv: { ...file, query: { schema: adminOrderFilter } },
  invoiceCsv: { ...file, query: { schema: invoiceFilter } },
  creditNoteCsv: { ...file, query: { schema: creditNoteFilter } },
  moneyJournalCsv: { ...file, query: { schema: journalFilter } },
  creditsJournalCsv: { ...file, query: { schema: journalFilter } },
  auditCsv: { ...file, query: { schema: auditFilter } },
};
