import type { JournalFilter } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { writeCursor } from "../lists/keyset.ts";
import { createWholeReading } from "../lists/whole-reading.ts";
import { type EntryPart, type Journal, postedBy } from "./journal.ts";

/** What was posted to an account in one currency: minor units of money, or micro-credits. */
export interface AccountSums {
  readonly account: string;
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Entries that are summed up with one statement, which then takes a fraction of a second. */
const defaultAtOnce = 300_000;

/** The sums of a journal by account and currency, in a span of time; from the beginning on with what is carried from before it. */
export async function trialBalance(
  database: Database,
  journal: Journal,
  {
    orgId,
    span,
    atOnce = defaultAtOnce,
  }: { readonly orgId: bigint; readonly span: JournalFilter; readonly atOnce?: number | undefined },
): Promise<readonly AccountSums[]> {
  const sums = new Map<string, AccountSums>();
  const add = (accounts: readonly AccountSums[]): void => {
    for (const account of accounts) {
      const key = JSON.stringify([account.account, account.currency]);
      const before = sums.get(key) ?? { debit: 0n, credit: 0n };
      const [debit, credit] = [before.debit + account.debit, before.credit + account.credit];
      sums.set(key, { ...account, debit, credit });
    }
  };
  const whole = createWholeReading(journal.gone?.(span));
  const read = <Part>(select: () => Promise<Part>) => whole(database, select);
  const carried = span.from === undefined ? journal.carried?.(orgId) : undefined;
  if (carried !== undefined) add(await read(() => sumsOf(database, journal, carried)));
  for (let cursor: string | undefined; ; ) {
    const part = { orgId, span, cursor };
    const until = await read(() => placeOfLast(database, journal, { ...part, limit: atOnce }));
    add(await read(() => sumsOf(database, journal, journal.entries({ ...part, until }))));
    if (until === undefined) break;
    cursor = until;
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
}

/** Where the last entry of a part stands; `undefined` where there are fewer than it may have, and no more after them. */
async function placeOfLast(
  database: Database,
  journal: Journal,
  part: EntryPart & { readonly limit: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly place: readonly string[] }>`
    select ${journal.place} as place
      from (select * from (${journal.entries(part)}) as entry
             order by at, step, id offset ${part.limit - 1}) as entry`.execute(database);
  return rows[0] === undefined ? undefined : writeCursor(rows[0].place);
}

async function sumsOf(
  database: Database,
  journal: Journal,
  entries: RawBuilder<unknown>,
): Promise<readonly AccountSums[]> {
  const { rows } = await sql<{
    readonly account: string;
    readonly currency: string;
    readonly debit: string;
    readonly credit: string;
  }>`
    with entry as (${entries})
    select account, currency,
           coalesce(sum(posted) filter (where posted > 0), 0)::text as debit,
           coalesce(-sum(posted) filter (where posted < 0), 0)::text as credit
      from (${journal.condensed}) as entry
     cross join ${postedBy(journal)}
     group by account, currency`.execute(database);
  return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
}
