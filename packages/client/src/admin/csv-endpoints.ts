import { type Endpoint, reads } from "../endpoint.ts";
import type { AuditFilter } from "./contract/audit.ts";
import type { JournalFilter } from "./contract/books.ts";
import type { CreditNoteFilter } from "./contract/credit-note.ts";
import type { CustomerFilter } from "./contract/customer.ts";
import type { InvoiceFilter } from "./contract/invoice.ts";
import type { LedgerFilter } from "./contract/ledger.ts";
import type { AdminOrderFilter } from "./contract/order.ts";
import type { UsageFilter } from "./contract/usage.ts";
import type { WalletFilter } from "./contract/wallet.ts";

/** The lists and journals that are answered as a file: all that passes the filter. */
export interface CsvEndpoints {
  readonly customerCsv: Endpoint<undefined, CustomerFilter>;
  readonly walletCsv: Endpoint<undefined, WalletFilter>;
  readonly usageCsv: Endpoint<undefined, UsageFilter>;
  readonly ledgerCsv: Endpoint<undefined, LedgerFilter>;
  readonly orderCsv: Endpoint<undefined, AdminOrderFilter>;
  readonly invoiceCsv: Endpoint<undefined, InvoiceFilter>;
  readonly creditNoteCsv: Endpoint<undefined, CreditNoteFilter>;
  readonly moneyJournalCsv: Endpoint<undefined, JournalFilter>;
  readonly creditsJournalCsv: Endpoint<undefined, JournalFilter>;
  readonly auditCsv: Endpoint<undefined, AuditFilter>;
}

const organization = "/admin/api/organizations/{organization_id}";

export const csvEndpoints: CsvEndpoints = {
  customerCsv: reads("customerCsv", `${organization}/customers.csv`),
  walletCsv: reads("walletCsv", `${organization}/wallets.csv`),
  usageCsv: reads("usageCsv", `${organization}/usage.csv`),
  ledgerCsv: reads("ledgerCsv", `${organization}/ledger.csv`),
  orderCsv: reads("orderCsv", `${organization}/orders.csv`),
  invoiceCsv: reads("invoiceCsv", `${organization}/invoices.csv`),
  creditNoteCsv: reads("creditNoteCsv", `${organization}/credit-notes.csv`),
  moneyJournalCsv: reads("moneyJournalCsv", `${organization}/books/money.csv`),
  creditsJournalCsv: reads("creditsJournalCsv", `${organization}/books/credits.csv`),
  auditCsv: reads("auditCsv", "/admin/api/audit.csv"),
};
