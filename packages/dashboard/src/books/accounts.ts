import { keyOf } from "../parts/key-of.ts";

const accounts = {
  cash: "Invoices marked paid",
  payables: "Owed to customers by credit notes",
  receivables: "Owed by customers on invoices",
  revenue: "Invoiced, less taxes, voids and credit notes",
  carried: "Of months that are detached",
  consumed: "Usage",
  corrected: "Corrections",
  credited: "Taken back by credit notes",
  invoiced: "Postpaid usage that was invoiced",
  issued: "Top-ups and orders",
  opening: "What wallets had when they were opened",
  refunded: "Refunds",
  voided: "Taken back by void invoices",
  "wallet:available": "Can be spent by customers",
  "wallet:overage": "Used beyond what was available",
  "wallet:pending": "Can be spent once an invoice is paid",
  "wallet:postpaid": "Used, and not invoiced yet",
} as const;

/** What is posted to an account, in a few words. */
export function accountWords(account: string): string | undefined {
  if (account.startsWith("tax:")) return "Tax on what was invoiced";
  const known = keyOf(accounts, account);
  return known && accounts[known];
}
