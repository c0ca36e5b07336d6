import type { JournalFilter } from "@creditgate/client/admin";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Lists } from "../database/lists.ts";
import { writeCursor } from "../http/cursor.ts";
import { type EntryPart, type Journal, lastPlace } from "./journal.ts";

/** What was posted to an account in one currency: minor units of money, or micro-credits. */
export interface AccountSums {
  readonly account: string;
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Entries that are summed up with one statement, which then takes a fraction of a second. */
const atOnce = 20_000;

/** The sums of a journal by account and currency, in a span of time. */
export async function trialBalance(
  lists: Lists,
  journal: Journal,
  { orgId, span }: { readonly orgId: bigint; readonly span: JournalFilter },
): Promise<readonly AccountSums[]> {
  const sums = new Map<string, AccountSums>();
  let cursor: string | undefined;
  for (;;) {
    const part = { orgId, span, limit: atOnce, cursor };
    const { accounts, next } = await lists.read((database) => sumPart(database, journal, part));
    for (const account of accounts) {
      const key = JSON.stringify([account.account, account.currency]);
      const before = sums.get(key) ?? { debit: 0n, credit: 0n };
      const [debit, credit] = [before.debit + account.debit, before.credit + account.credit];
      sums.set(key, { ...account, debit, credit });
    }
    if (next === null) break;
    cursor = next;
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
}

async function sumPart(
  database: Database,
  journal: Journal,
  part: EntryPart,
): Promise<{ readonly accounts: readonly AccountSums[]; readonly next: string | null }> {
  const { rows } = await sql<{
    readonly account: string | null;
    readonly currency: string;
    readonly debit: string;
    readonly credit: string;
    readonly place: readonly string[];
  }>`
    with entry as materialized (${journal.entries(part)})
    select account, currency,
           coalesce(sum(posted) filter (where posted > 0), 0)::text as debit,
           coalesce(-sum(posted) filter (where posted < 0), 0)::text as credit,
           ${lastPlace(journal)} as place
      from (${journal.condensed}) as condensed
      left join lateral (select * from (${journal.postings}) as line (line, account, posted) where posted <> 0) as posting on true
     group by account, currency`.execute(database);
  const accounts = rows.flatMap(({ account, currency, debit, credit }) =>
    account === null ? [] : [{ account, currency, debit: BigInt(debit), credit: BigInt(credit) }],
  );
  const [first] = rows;
  return { accounts, next: first === undefined ? null : writeCursor(first.place) };
}
