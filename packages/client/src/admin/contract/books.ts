import { z } from "zod";
import { type SpanQuery, spanFields } from "./part.ts";

/** The journals of the books: `money` in minor units of each currency, `credits` in each credit currency. */
export const booksJournals = ["money", "credits"] as const;

/** A journal of the books. */
export type BooksJournal = (typeof booksJournals)[number];

/** Which entries of a journal: those of a span, by default all. */
export interface JournalFilter extends SpanQuery {}

/** Which trial balance. */
export interface TrialBalanceQuery extends SpanQuery {
  readonly journal: BooksJournal;
}

/** The sums of an account in one currency: minor units of money, or credits. */
export interface TrialBalanceAccount {
  readonly account: string;
  readonly currency: string;
  readonly debit: number;
  readonly credit: number;
  /** `debit` less `credit`; without `from` the balance of the account at `to`. */
  readonly balance: number;
}

/** What was posted to each account of a journal in a span of time. In each currency the balances sum to 0. */
export interface TrialBalance {
  readonly journal: string;
  readonly accounts: readonly TrialBalanceAccount[];
}

function isForward({ from, to }: SpanQuery): boolean {
  return from === undefined || to === undefined || Date.parse(from) <= Date.parse(to);
}

const forward = {
  path: ["to"],
  error: "Invalid input: expected an instant that is not before from",
};

/** Parses the query for a journal. */
export const journalFilter: z.ZodType<JournalFilter> = z.strictObject(spanFields).refine(isForward, forward);

/** Parses the query for a trial balance. */
export const trialBalanceQuery: z.ZodType<TrialBalanceQuery> = z
  .strictObject({ ...spanFields, journal: z.enum(booksJournals) })
  .refine(isForward, forward);

/** Parses a trial balance. */
export const trialBalance: z.ZodType<TrialBalance> = z.looseObject({
  journal: z.string(),
  accounts: z.array(
    z.looseObject({
      account: z.string(),
      currency: z.string(),
      debit: z.number(),
      credit: z.number(),
      balance: z.number(),
    }),
  ),
});
