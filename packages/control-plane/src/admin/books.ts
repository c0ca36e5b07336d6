import { type BooksJournal, type JournalFilter, minorDigits } from "@creditgate/admin";
import { creditsJournal } from "../books/credits-journal.ts";
import type { Journal } from "../books/journal.ts";
import { moneyJournal } from "../books/money-journal.ts";
import { type Posting, readPostings } from "../books/postings.ts";
import { type AccountSums, trialBalance } from "../books/trial-balance.ts";
import { answer } from "../endpoint/call.ts";
import type { Cell } from "../http/csv.ts";
import type { JsonObject } from "../http/json.ts";
import type { ListPart } from "../lists/keyset.ts";
import { createWholeReading, type WholeReading } from "../lists/whole-reading.ts";
import { type CsvCall, type CsvLimits, type CsvPart, csvParts } from "./csv-parts.ts";
import type { AdminHandlers } from "./table.ts";

const journals: Readonly<Record<BooksJournal, Journal>> = { money: moneyJournal, credits: creditsJournal };

/** The trial balances of the journals. */
export const booksHandlers: Pick<AdminHandlers, "trialBalance"> = {
  async trialBalance({ orgId, database, query: { journal, ...span } }) {
    const accounts = await trialBalance(database, journals[journal], { orgId, span });
    return answer(200, { journal, accounts: accounts.map((sums) => accountJson(journal, sums)) });
  },
};

function accountJson(journal: BooksJournal, { account, currency, debit, credit }: AccountSums): JsonObject {
  const amount = (units: bigint) => (journal === "money" ? Number(units) : units);
  const sums = { debit: amount(debit), credit: amount(credit), balance: amount(debit - credit) };
  return { account, currency, ...sums };
}

type JournalFiles = Pick<AdminHandlers, "moneyJournalCsv" | "creditsJournalCsv">;

/** The journals as files, the oldest entries first: a row for each posting. */
export function journalFiles(limits: CsvLimits): JournalFiles {
  const file = (journal: Journal) => async (call: JournalCall) => {
    const whole = createWholeReading(journal.gone?.(call.query));
    const name = `${journal.name}-journal`;
    const { orgId } = call;
    const parts = csvParts(limits, { name, orgId, call }, (part) => readPart(journal, call, whole, part));
    return { status: 200 as const, name, columns, parts };
  };
  return { moneyJournalCsv: file(moneyJournal), creditsJournalCsv: file(creditsJournal) };
}

type JournalCall = CsvCall<JournalFilter>;

const columns = [
  ...["date", "entry", "organizationId", "account", "customerId", "debit", "credit", "currency"],
  ...["reference", "text"],
];

async function readPart(
  journal: Journal,
  { orgId, query: span, database }: JournalCall,
  whole: WholeReading,
  part: ListPart,
): Promise<CsvPart> {
  const { postings, next } = await whole(database, () =>
    readPostings(database, journal, { ...part, orgId, span }),
  );
  return { rows: postings.map((posting) => cellsOf(journal.name, orgId, posting)), next };
}

function cellsOf(journal: BooksJournal, orgId: bigint, posting: Posting): readonly Cell[] {
  const { at, entry, account, customer_id: customerId, amount, currency, reference, text } = posting;
  const digits = amount < 0n ? -amount : amount;
  const cell = journal === "money" ? { digits, scale: minorDigits(currency) } : digits;
  const sides = amount < 0n ? [null, cell] : [cell, null];
  return [at.toISOString(), entry, String(orgId), account, customerId, ...sides, currency, reference, text];
}
