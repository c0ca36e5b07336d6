import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { type SpanQuery, spanFields } from "./part.ts";

const defineEndpoint = tagged("Books");

/** The journals of the books: `money` in minor units of each currency, `credits` in each credit currency. */
const booksJournals = ["money", "credits"] as const;

/** A journal of the books. */
export type BooksJournal = (typeof booksJournals)[number];

function isForward({ from, to }: SpanQuery): boolean {
  return from === undefined || to === undefined || Date.parse(from) <= Date.parse(to);
}

const forward = { path: ["to"], error: "Invalid input: expected an instant that is not before from" };

const journalFilter = z.strictObject(spanFields).refine(isForward, forward);

/** Which entries of a journal: those of a span, by default all. */
export type JournalFilter = Data<typeof journalFilter>;

const trialBalanceQuery = z
  .strictObject({ ...spanFields, journal: z.enum(booksJournals) })
  .refine(isForward, forward);

/** Which trial balance. */
export type TrialBalanceQuery = Data<typeof trialBalanceQuery>;

const trialBalance = record({
  journal: z.string(),
  accounts: z.array(
    record({
      account: z.string(),
      /** Its amounts are in minor units of it, or in credits. */
      currency: z.string(),
      debit: z.number(),
      credit: z.number(),
      /** `debit` less `credit`; without `from` the balance of the account at `to`. */
      balance: z.number(),
    }),
  ),
});

/** What was posted to each account of a journal in a span of time. In each currency the balances sum to 0. */
export type TrialBalance = Data<typeof trialBalance>;

/** The books of an organisation, and its journals as files. */
export const books = {
  /** The sums of a journal by account, of a span or of all that was posted before `to`. Reads each entry of it. Retried. */
  balance: defineEndpoint({
    name: "trialBalance",
    path: `${organization}/books/balance`,
    scope: "read",
    query: trialBalanceQuery,
    answer: trialBalance,
    summary: "Sums up a journal by account",
  }),
  money: defineEndpoint({
    name: "moneyJournalCsv",
    path: `${organization}/books/money.csv`,
    kind: "csv",
    scope: "read",
    query: journalFilter,
    summary: "The journal of money as a file, the oldest entries first",
  }),
  credits: defineEndpoint({
    name: "creditsJournalCsv",
    path: `${organization}/books/credits.csv`,
    kind: "csv",
    scope: "read",
    query: journalFilter,
    summary: "The journal of credits as a file, the oldest entries first",
  }),
};
