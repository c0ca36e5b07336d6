import type { BooksJournal, SpanQuery } from "@creditgate/client/admin";
import { acting, type Commands, exporting, span } from "./command.ts";

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
