import type { EndpointsOf } from "@creditgate/admin";
import type { RawBuilder } from "kysely";
import type { Cell } from "../http/csv.ts";
import { type Json, type JsonObject, stringify } from "../http/json.ts";
import type { ListPart, RecordList } from "../lists/keyset.ts";
import { createWholeReading, monthsGone } from "../lists/whole-reading.ts";
import { listAudit } from "./audit.ts";
import { journalFiles } from "./books.ts";
import { listCreditNotes } from "./credit-notes.ts";
import { type CsvCall, type CsvLimits, csvParts } from "./csv-parts.ts";
import { customerColumns, listCustomers } from "./customers.ts";
import { listInvoices } from "./invoices.ts";
import { listLedger } from "./ledger.ts";
import { listOrders } from "./orders.ts";
import type { AdminHandlers } from "./table.ts";
import { listUsageRecords } from "./usage.ts";
import { listWallets } from "./wallets.ts";

type CsvHandlers = Pick<AdminHandlers, keyof EndpointsOf<"csv">>;

/** Journals, and lists in their order, as files for spreadsheets: all that passes the filter. */
export function csvHandlers(limits: CsvLimits): CsvHandlers {
  const file = createFile(limits);
  return {
    ...journalFiles(limits),
    customerCsv: file("customers", listCustomers, customerColumns),
    walletCsv: file("wallets", listWallets, [
      ...["customerId", "creditCurrencyKey", "kind", "state", "available", "pending", "overageUsed"],
      ...["overageLimit", "postpaidUsed", "postpaidLimit", "lowThreshold", "autoTopUp"],
    ]),
    usageCsv: file("usage", listUsageRecords, [
      ...["usageId", "receivedAt", "customerId", "agentId", "indicator", "creditCurrencyKey", "credits"],
      ...["outcome", "settledAt", "idempotencyKey", "rawUsage", "budgets"],
    ]),
    ledgerCsv: file("ledger", listLedger, [
      ...["entryNo", "createdAt", "customerId", "creditCurrencyKey", "cause", "available", "pending"],
      ...[
        "overageUsed",
        "postpaidUsed",
        "usageId",
        "topUpId",
        "invoiceId",
        "creditNoteId",
        "grantId",
        "reason",
        "after",
      ],
    ]),
    orderCsv: file("orders", listOrders, [
      ...["orderId", "createdAt", "customerExternalId", "orderName", "startDate", "type", "status"],
      ...["supersededBy", "activatedAt", "supersededAt", "cancelledAt"],
    ]),
    invoiceCsv: file("invoices", listInvoices, [
      ...["invoiceId", "number", "createdAt", "customerExternalId", "orderId", "type", "status"],
      ...["amount", "currency"],
      ...["creditCurrencyKey", "credits", "periodStart", "periodEnd", "paidAt", "voidedAt", "voidedUsage"],
      ...["creditedAmount", "taxAmount", "taxes"],
    ]),
    creditNoteCsv: file("credit-notes", listCreditNotes, [
      ...["creditNoteId", "number", "createdAt", "customerExternalId", "invoiceId"],
      ...["amount", "currency", "credits", "reason", "taxAmount", "taxes"],
    ]),
    auditCsv: file(
      "audit",
      listAudit,
      ["auditId", "at", "organizationId", "actor", "action", "subject", "before", "after"],
      // Of operators' it may be of all organisations.
      ({ query: { organizationId: id } }) => (id === undefined ? undefined : BigInt(id)),
    ),
  };
}

function createFile(limits: CsvLimits) {
  return <Filter extends object>(
    name: string,
    list: RecordList<Filter>,
    columns: readonly string[],
    orgOf: (call: CsvCall<Filter>) => bigint | undefined = ({ orgId }) => orgId,
  ) =>
    async (call: CsvCall<Filter>) => {
      const orgId = orgOf(call);
      const whole = createWholeReading(goneOf(name, call.query));
      const read = async (part: ListPart) => {
        const { records, next } = await whole(call.database, () => list(call.database, call, part));
        return { rows: records.map((record) => columns.map((column) => cellOf(record, column))), next };
      };
      return { status: 200 as const, name, columns, parts: csvParts(limits, { name, orgId, call }, read) };
    };
}

/** Of which tables by month there are files, by their names. */
const byMonth = new Map<string, Parameters<typeof monthsGone>[0]>([
  ["usage", "usage_reports"],
  ["ledger", "ledger_entries"],
  ["audit", "audit_log"],
]);

function goneOf(name: string, query: object): RawBuilder<unknown> | undefined {
  const table = byMonth.get(name);
  const from = "from" in query && typeof query.from === "string" ? query.from : undefined;
  return table && monthsGone(table, { from });
}

/** What has parts of its own is JSON. */
function cellOf(record: JsonObject, column: string): Cell {
  const value: Json | undefined = record[column];
  if (value === undefined) throw new Error(`The records of the file have no ${column}.`);
  return typeof value === "object" && value !== null ? stringify(value) : value;
}
