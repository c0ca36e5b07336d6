import type { TrialBalanceQuery } from "@creditgate/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import type { DaySpan } from "../parts/address.ts";

/** The journals, as tabs: the first one is of money. */
export const journals = { credits: "Credits" } as const;

/** What the address may say instead of days. */
export const bookPeriods = {
  month: "This month",
  "last-month": "Last month",
  year: "This year",
  "last-year": "Last year",
  all: "All time",
} as const;

export type Period = keyof typeof bookPeriods;

/** What is journals where the address says nothing: each entry of a period is read, and of all that takes long. */
const usualPeriod: Period = "month";

export interface BooksSearch extends DaySpan {
  /** Without it the journal of money is journals. */
  show?: keyof typeof journals;
  period?: Period;
}

/** The period of the address; `undefined` where it has days of its own. */
export function periodOf({ period, from, to }: BooksSearch): Period | undefined {
  return from === undefined && to === undefined ? (period ?? usualPeriod) : undefined;
}

/** The days of the address, by UTC. */
export function daysOf(search: BooksSearch, now: Date): DaySpan {
  const { from, to } = search;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (periodOf(search)) {
    case "month":
      return between(Date.UTC(year, month), Date.UTC(year, month + 1));
    case "last-month":
      return between(Date.UTC(year, month - 1), Date.UTC(year, month));
    case "year":
      return between(Date.UTC(year, 0), Date.UTC(year + 1, 0));
    case "last-year":
      return between(Date.UTC(year - 1, 0), Date.UTC(year, 0));
    case "all":
      return {};
    case undefined:
      return { from, to };
  }
}

/** From of an instant to the one before another. */
function between(from: number, end: number): DaySpan {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(from), to: day(end - 1) };
}

/** Not asked for again while one looks: each entry of the span is read for it. */
export const balanceQuery = (organizationId: string, query: TrialBalanceQuery) =>
  queryOptions({
    queryKey: ["books", organizationId, query],
    queryFn: ({ signal }) => admin.organization(organizationId).books.balance(query, { signal }),
    // Of the same journal: the accounts of the other would stand below the wrong tab.
    placeholderData: (before, query) =>
      (query?.queryKey[2] as TrialBalanceQuery | undefined)?.journal === before?.journal
        ? keepPreviousData(before)
        : undefined,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
