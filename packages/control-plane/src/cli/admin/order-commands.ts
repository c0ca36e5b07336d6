import type { AdminOrderCreateRequest, BooksJournal, SpanQuery } from "@creditgate/admin";
import {
  acting,
  type Commands,
  choice,
  customer,
  exporting,
  listing,
  printing,
  reason,
  span,
} from "./command.ts";

export const orders: Commands = {
  list: listing(
    "orders, the newest first",
    {
      options: {
        customer,
        status: choice("status", "only in this state", ["pending", "active", "superseded", "cancelled"]),
        type: choice("type", "only of this type", ["plan", "replacement", "top_up"]),
        ...span,
      },
      csv: "orderCsv",
    },
    (organization, { request }) => organization.orders.all(request()),
  ),
  show: acting(
    "an order with its line items and invoices",
    { arguments: ["order"] },
    (organization, { argument }) => organization.orders.get(argument("order")),
  ),
  create: acting(
    "a new order",
    {
      arguments: ["customer"],
      isKeyed: true,
      options: {
        name: { field: "orderName", value: "TEXT", required: true, meaning: "what it is called" },
        start: { field: "startDate", value: "DAY", required: true, meaning: "as 2026-01-31" },
        items: {
          field: "lineItems",
          as: "json",
          value: "JSON",
          required: true,
          meaning: 'as [{"agentId":"chat","platformFee":{"amount":4900,"currency":"EUR"}}]',
        },
        paid: { field: "paid", as: "yes", meaning: "its invoice is paid already" },
      },
    },
    (organization, { argument, request, keyed }) =>
      organization.orders.create(
        { ...request<AdminOrderCreateRequest>(), customerExternalId: argument("customer") },
        keyed,
      ),
  ),
  cancel: acting(
    "ends an order that is not active yet, and voids its invoice",
    { arguments: ["order"], options: { reason } },
    (organization, { argument, request }) => organization.orders.cancel(argument("order"), request()),
  ),
};

export const invoices: Commands = {
  list: listing(
    "invoices, the newest first",
    {
      options: {
        customer,
        status: choice("status", "only in this state", ["open", "paid", "void"]),
        type: choice("type", "only of this type", ["order", "period"]),
        ...span,
      },
      csv: "invoiceCsv",
    },
    (organization, { request }) => organization.invoices.all(request()),
  ),
  show: acting("an invoice", { arguments: ["invoice"] }, (organization, { argument }) =>
    organization.invoices.get(argument("invoice")),
  ),
  print: printing("an invoice as a page of HTML, to be printed, on stdout", "invoice", "invoicePrint"),
  pay: acting("marks an invoice paid", { arguments: ["invoice"] }, (organization, { argument }) =>
    organization.invoices.markPaid(argument("invoice")),
  ),
  void: acting(
    "voids an invoice that is open",
    {
      arguments: ["invoice"],
      options: {
        reason,
        usage: choice("usage", "what becomes of what a period has billed (rebilled)", [
          "rebilled",
          "forgiven",
        ]),
      },
    },
    (organization, { argument, request }) => organization.invoices.void(argument("invoice"), request()),
  ),
  credit: acting(
    "a credit note against an invoice that is paid: for all that is left of it, or a part",
    {
      arguments: ["invoice"],
      isKeyed: true,
      options: {
        reason,
        amount: {
          field: "amount",
          as: "number",
          value: "MINOR",
          meaning: "money that the customer is owed, in minor units",
        },
        credits: {
          field: "credits",
          as: "json",
          value: "JSON",
          meaning: 'what leaves the wallets, as [{"credit_currency_key":"ai_credits","credits":5}]',
        },
      },
    },
    (organization, { argument, request, keyed }) =>
      organization.invoices.credit(argument("invoice"), request(), keyed),
  ),
};

export const creditNotes: Commands = {
  list: listing(
    "credit notes, the newest first",
    {
      options: {
        customer,
        invoice: { field: "invoice_id", value: "ID", meaning: "only against this invoice" },
        ...span,
      },
      csv: "creditNoteCsv",
    },
    (organization, { request }) => organization.invoices.creditNotes.all(request()),
  ),
  print: printing("a credit note as a page of HTML, to be printed, on stdout", "note", "creditNotePrint"),
};

export const issuers: Commands = {
  list: listing("who issues invoices and credit notes, the last to hold first", {}, (organization) =>
    organization.issuers.all(),
  ),
  set: acting(
    "sets who issues them; what is numbered already keeps its own",
    {
      options: {
        name: { field: "legalName", value: "TEXT", required: true, meaning: "the legal name" },
        address: {
          field: "addressLines",
          as: "json",
          value: "JSON",
          required: true,
          meaning: 'its lines, as ["Main Street 1","Berlin"]',
        },
        "tax-id": { field: "taxId", value: "TEXT", meaning: "as a VAT number" },
        taxes: {
          field: "taxes",
          as: "json",
          value: "JSON",
          meaning: 'what amounts contain, as [{"name":"VAT","basisPoints":1900}]',
        },
        "payment-terms": { field: "paymentTerms", value: "TEXT", meaning: "as Due within 14 days" },
        footer: { field: "footer", value: "TEXT", meaning: "at the end of each document" },
        "time-zone": { field: "timeZone", value: "ZONE", meaning: "in which the days of documents are" },
        "valid-from": { field: "validFrom", value: "TIME", meaning: "from when on; now without it" },
      },
    },
    (organization, { request }) => organization.issuers.set(request()),
  ),
};

export const books: Commands = {
  money: exporting(
    "the journal of money as a file, on stdout: invoices, payments, voids, credit notes",
    "moneyJournalCsv",
    span,
  ),
  credits: exporting(
    "the journal of credits as a file, on stdout: the entries of the ledger",
    "creditsJournalCsv",
    span,
  ),
  balance: acting(
    "the sums of a journal, money or credits, by account",
    { arguments: ["journal"], options: span },
    (organization, { argument, request }) =>
      organization.books.balance({
        ...request<SpanQuery>(),
        // The client checks it against the contract.
        journal: argument("journal") as BooksJournal,
      }),
  ),
};
