import type { JournalFilter } from "@creditgate/client/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Lists } from "../database/lists.ts";
import { createWholeReading } from "../database/whole-reading.ts";
import { writeCursor } from "../http/cursor.ts";
import { type EntryPart, type Journal, lastPlace, postedBy } from "./journal.ts";

/** What was posted to an account in one currency: minor units of money, or micro-credits. */
export interface AccountSums {
  readonly account: string;
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Entries that are summed up with one statement, which then takes a fraction of a second. */
const atOnce = 20_000;

/** The sums of a journal by account and currency, in a span of time; from the beginning on with what is carried from before it. */
export async function trialBalance(
  lists: Lists,
  journal: Journal,
  { orgId, span }: { readonly orgId: bigint; readonly span: JournalFilter },
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
  const read = (select: (database: Database) => Promise<Summed>) =>
    lists.read((database) => whole(database, () => select(database)));
  const carried = span.from === undefined ? journal.carried?.(orgId) : undefined;
  if (carried !== undefined)
    add((await read((database) => sumsOf(database, journal, carried, sql`null`))).accounts);
  let cursor: string | undefined;
  for (;;) {
    const part = { orgId, span, limit: atOnce, cursor, isSummed: true };
    const { accounts, next } = await read((database) => sumPart(database, journal, part));
    add(accounts);
    if (next === null) break;
    cursor = next;
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
}

function sumPart(database: Database, journal: Journal, part: EntryPart): Promise<Summed> {
  return sumsOf(database, journal, journal.entries(part), lastPlace(journal));
}

interface Summed {
  readonly accounts: readonly AccountSums[];
  readonly next: string | null;
}

async function sumsOf(
  database: Database,
  journal: Journal,
  entries: RawBuilder<unknown>,
  place: RawBuilder<unknown>,
): Promise<Summed> {
  const { rows } = await sql<{
    readonly account: string | null;
    readonly currency: string;
    readonly debit: string;
    readonly credit: string;
    readonly place: readonly string[] | null;
  }>`
    with entry as materialized (${entries})
    select account, currency,
           coalesce(sum(posted) filter (where posted > 0), 0)::text as debit,
           coalesce(-sum(posted) filter (where posted < 0), 0)::text as credit,
           ${place} as place
      from (${journal.condensed}) as condensed
      left join ${postedBy(journal)} on true
     group by account, currency`.execute(database);
  const accounts = rows.flatMap(({ account, currency, debit, credit }) =>
    account === null ? [] : [{ account, currency, debit: BigInt(debit), credit: BigInt(credit) }],
  );
  const last = rows[0]?.place ?? null;
  return { accounts, next: last === null ? null : writeCursor(last) };
}
