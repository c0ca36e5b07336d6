import { csvEndpoints } from "@creditgate/admin";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { journalFiles } from "../src/admin/books.ts";
import { creditsJournal } from "../src/books/credits-journal.ts";
import type { Journal } from "../src/books/journal.ts";
import { moneyJournal } from "../src/books/money-journal.ts";
import { type Posting, readPostings } from "../src/books/postings.ts";
import { trialBalance } from "../src/books/trial-balance.ts";
import { journalDifferences } from "../src/verification/books.ts";
import { type AdminApp, openAdminApp } from "./admin-app.ts";
import { afterQueries } from "./after-queries.ts";
import { csvLimits } from "./csv-limits.ts";
import { acme } from "./fixture.ts";
import { createRandom, type Random } from "./random.ts";
import { openScene, type Scene } from "./scene.ts";

const seed = 20_261_122;
const journals = [moneyJournal, creditsJournal] as const;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene(acme);
  const random = createRandom(seed);
  await scene.pool.query(
    "insert into customers (org_id, external_id, name) select org_id, 'c' || i, 'C' from organizations, generate_series(0, 9) i",
  );
  // Behind the back of the database's own rules, which this is not about.
  const client = await scene.pool.connect();
  await client.query("set session_replication_role = replica");
  for (let count = 0; count < 250; count += 1) await happen(client, random);
  client.release(true);
});
afterAll(() => scene.close());

const causes = [
  "usage",
  "top_up",
  "benefit",
  "payment",
  "period",
  "void",
  "correction",
  "refund",
  "credit_note",
] as const;

/** Anything that the tables can hold, at one of few instants, so that many happen at once. */
async function happen(client: pg.PoolClient, random: Random): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1) + random.integer(8) * 1_000);
  const cause = random.pick(causes);
  const change = () => (random.integer(3) === 0 ? 0 : random.integer(2_000_001) - 1_000_000);
  const id = (given: boolean) => (given ? crypto.randomUUID() : null);
  const isOfInvoice = ["benefit", "payment", "period", "void"].includes(cause);
  const customer = `c${random.integer(10)}`;
  const amount = random.integer(4) === 0 ? 0 : random.integer(3) * random.integer(1_000_000);
  const shares = [random.integer(4), random.integer(4)].map((share) => Math.floor((amount * share) / 10));
  const taxes = shares.map((share, index) => ({ name: `T${index}`, basisPoints: 1, amount: String(share) }));
  const later = new Date(at.getTime() + random.integer(3) * 1_000);
  const end = random.pick(["open", "paid", "void"]);
  await client.query(
    `with document as (select coalesce(max(number), 0) + 1 as number from invoices),
          invoice as (
            insert into invoices (org_id, invoice_id, customer_id, kind, status, amount, currency, tax_amount, taxes, created_at, paid_at, voided_at, number, bill_to, names, order_id)
            select $1::bigint, gen_random_uuid(), $2, 'order', $3::text, $4::bigint, $5::text, $6::bigint, $7::jsonb, $8::timestamptz, case when $3 = 'paid' then $9::timestamptz end, case when $3 = 'void' then $9::timestamptz end, number, '{}', '{}', gen_random_uuid()
              from document returning *)
     insert into credit_notes (org_id, credit_note_id, invoice_id, customer_id, amount, currency, tax_amount, taxes, reason, created_at, number)
     select org_id, gen_random_uuid(), invoice_id, customer_id, amount, currency, tax_amount, taxes, 'r', $9::timestamptz, number from invoice where status = 'paid'`,
    [
      ...[scene.orgId, customer, end, amount, random.pick(["EUR", "JPY"])],
      ...[shares.reduce((sum, share) => sum + share, 0), JSON.stringify(taxes), at, later],
    ],
  );
  await client.query(
    `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, top_up_id, invoice_id, credit_note_id, reason,
                                 available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
     values ($1, $2, $3, (select count(*) + 1 from ledger_entries), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, 0, 0)`,
    [
      ...[scene.orgId, customer, random.pick(["ai_credits", "voice_credits"]), cause],
      ...[id(cause === "usage"), id(cause === "top_up"), id(isOfInvoice), id(cause === "credit_note")],
      ...[
        cause === "correction" || cause === "refund" ? "r" : null,
        1 + random.integer(1_000_000),
        change(),
        change(),
        change(),
        at,
      ],
    ],
  );
}

/** All postings, read in parts of so many entries. */
async function postingsOf(journal: Journal, limit: number): Promise<readonly Posting[]> {
  const found: Posting[] = [];
  let cursor: string | undefined;
  for (;;) {
    const part = { orgId: scene.orgId, span: {}, limit, cursor };
    const { postings, next } = await readPostings(scene.database, journal, part);
    found.push(...postings);
    if (next === null) return found;
    cursor = next;
  }
}

describe.each(journals)(
  "the journal of $name, of any sequence of entries",
  { timeout: 60_000 },
  (journal) => {
    it("posts as much to the debit as to the credit of each entry, and never nothing", async () => {
      const sums = new Map<string, bigint>();
      for (const { entry, amount, currency } of await postingsOf(journal, 100_000)) {
        expect(amount).not.toBe(0n);
        const key = `${entry} ${currency}`;
        sums.set(key, (sums.get(key) ?? 0n) + amount);
      }
      expect(sums.size).toBeGreaterThan(200);
      expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
    });

    it("is the same however it is cut into parts, and in the order of time", async () => {
      const whole = await postingsOf(journal, 100_000);
      const times = whole.map(({ at }) => at.getTime());
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      for (const limit of [1, 7, 64]) expect(await postingsOf(journal, limit)).toEqual(whole);
    });

    it("sums up to its trial balance, also of a span, however it is cut into parts", async () => {
      const whole = await postingsOf(journal, 100_000);
      const instant = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
      for (const span of [{}, { from: instant(2), to: instant(5) }]) {
        const { from = "2000", to = "3000" } = span;
        const own = whole.filter(({ at }) => at >= new Date(from) && at < new Date(to));
        const summedIn = (atOnce?: number) =>
          trialBalance(scene.database, journal, { orgId: scene.orgId, span, atOnce });
        const accounts = await summedIn();
        for (const atOnce of [1, 7, 64]) expect(await summedIn(atOnce)).toEqual(accounts);
        const summed = accounts.map(({ account, currency, debit, credit }) => {
          const lines = own.filter((posting) => posting.account === account && posting.currency === currency);
          const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
          const amounts = lines.map(({ amount }) => amount);
          expect(sum(amounts.filter((amount) => amount > 0n))).toBe(debit);
          expect(sum(amounts.filter((amount) => amount < 0n))).toBe(-credit);
          return lines.length;
        });
        expect(summed.reduce((count, lines) => count + lines, 0)).toBe(own.length);
        expect(own.length).toBeGreaterThan(100);
      }
    });
  },
);

describe("the check of the journals", () => {
  const check = () =>
    scene.database.transaction().execute(async (transaction) => {
      const found = await journalDifferences(transaction);
      return found.map(({ what, subject, expected, received }) => [what, subject, expected, received]);
    });
  const tamper = (statement: string) =>
    scene.pool.query(`set session_replication_role = replica; ${statement}`);

  it("names entries that do not balance, and accounts that are not what wallets and invoices come to", async () => {
    await tamper(`delete from ledger_entries; delete from credit_notes; delete from invoices; update wallets set available = 0;
      insert into invoices (org_id, invoice_id, customer_id, kind, status, amount, currency, tax_amount, taxes, created_at, number, bill_to, names, order_id)
      select org_id, gen_random_uuid(), 'c1', 'order', 'open', 100, 'EUR', 7, '[{"name":"VAT","amount":"7"}]', now(), 1, '{}', '{}', gen_random_uuid() from organizations`);
    expect(await check()).toEqual([]);
    await tamper("update invoices set tax_amount = 8");
    expect(await check()).toEqual([["journal", '["money", "INV-1"]', "100 debit", "99 credit"]]);
    await tamper(
      "update invoices set tax_amount = 7; update wallets set available = 5 where currency = 'ai_credits'",
    );
    expect(await check()).toEqual([["journal", '["credits", "wallet:available", "ai_credits"]', "0", "-5"]]);
    await tamper(
      `alter table invoices drop constraint invoices_credited; update wallets set available = 0; update invoices set credited_amount = 30`,
    );
    expect(await check()).toEqual([["journal", '["money", "payables", "c1", "EUR"]', "0", "-30"]]);
    await tamper(`update invoices set credited_amount = 0, status = 'void', voided_at = now()`);
    expect(await check()).toEqual([]);
    await tamper(`alter table invoices drop constraint invoices_void; update invoices set voided_at = null`);
    expect(await check()).toEqual([["journal", '["money", "receivables", "c1", "EUR"]', "100", "0"]]);
  });
});

describe("the journal of a tenant with many entries", () => {
  const many = 20_000;
  let app: AdminApp;
  beforeAll(async () => {
    await scene.pool.query("set session_replication_role = replica; delete from ledger_entries");
    await scene.pool.query(
      `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
       select org_id, 'alice', 'ai_credits', i, 'top_up', gen_random_uuid(), i, 0, 0, 0, now(), i, 0, 0, 0 from organizations, generate_series(1, ${many}) i`,
    );
    app = await openAdminApp(scene.database, scene.clock);
  });
  afterAll(() => app.close());

  it("is whole", async () => {
    const path = csvEndpoints.creditsJournalCsv.path
      .replace("/admin/api", "")
      .replace("{organizationId}", String(scene.orgId));
    const rows = (await (await app.get(path)).text()).split("\r\n").slice(1, -1);
    expect(rows).toHaveLength(2 * many);
    expect(new Set(rows.map((row) => row.split(",")[1])).size).toBe(many);
  });

  it("begins with what is carried from months that are detached", async () => {
    await scene.pool.query(
      "insert into ledger_carried select org_id, 'alice', 'ai_credits', 0, 0, 7, 0, 2, 0 from organizations",
    );
    const sums = async (span: { readonly from?: string; readonly to?: string }) =>
      (await trialBalance(scene.database, creditsJournal, { orgId: scene.orgId, span })).map(
        ({ account, debit, credit }) => [account, debit, credit],
      );
    const issued = (BigInt(many) * BigInt(many + 1)) / 2n;
    expect(await sums({})).toEqual([
      ["carried", 5n, 0n],
      ["issued", issued, 0n],
      ["wallet:available", 0n, issued + 7n],
      ["wallet:overage", 2n, 0n],
    ]);
    expect(await sums({ from: "2000-01-01T00:00:00Z" })).toEqual([
      ["issued", issued, 0n],
      ["wallet:available", 0n, issued],
    ]);
  });

  it("is read a part at a time, and no sooner than its reader takes it", async () => {
    const limits = csvLimits();
    let reads = 0;
    const database = afterQueries(scene.database, () => {
      reads += 1;
    });
    const call = { orgId: scene.orgId, actor: "test", at: new Date(), query: {}, database };
    const { parts } = await journalFiles(limits).creditsJournalCsv(
      call as Parameters<ReturnType<typeof journalFiles>["creditsJournalCsv"]>[0],
    );
    expect(reads).toBe(0);
    // Beside each part it is counted how many months are gone, and once more at first.
    for (const count of [1, 2, 3]) {
      const part = await parts.next();
      expect([reads, part.done, part.done === true ? 0 : part.value.length]).toEqual([
        1 + 2 * count,
        false,
        1_000,
      ]);
    }
    await parts.return();
    expect(reads).toBe(7);
  });
});
