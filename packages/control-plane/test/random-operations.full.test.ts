import { inspect } from "node:util";
import { createAdminClient } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { createRandom } from "./random.ts";
import { emptyBooks, names, operate } from "./random-operation.ts";

/** `npm run test:random` takes 10,000. */
const operations = Number(process.env.CREDITGATE_OPERATIONS ?? "400");
const seed = Number(process.env.CREDITGATE_SEED ?? "20261121");
const workers = 20;
const adminToken = "cga_a-token-for-these-tests";

/** Two replicas on one database. */
let servers: [RunningServer, RunningServer];
const books = emptyBooks();
const failures: unknown[] = [];
let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createMigratedDatabase();
  // Twenty workers want the same few rows: on a slow machine one waits longer than a request may.
  const patient = new URL(database.databaseUrl);
  for (const name of ["lock_timeout", "statement_timeout"]) patient.searchParams.set(name, "60000");
  const start = () =>
    startServer({
      databaseUrl: patient.href,
      port: 0,
      settlementDelayMs: 0,
      adminTokens: [{ name: "test", token: adminToken }],
      fixture: {
        ...acme,
        agents: [
          {
            agentId: "chat",
            agent_external_id: "chat",
            agent_name: "Chat",
            indicators: (["ai_credits", "voice_credits", "late_credits"] as const).map((currency) => ({
              name: currency,
              billing: "CREDITS",
              currency,
              price: { perEvent: 1, perThousandInputTokens: 1000 },
            })),
          },
        ],
        customers: names.map((externalId) => ({
          externalId,
          name: externalId,
          wallets: [
            { currency: "ai_credits", kind: "prepaid" },
            { currency: "voice_credits", kind: "postpaid", limit: 0 },
          ],
        })),
      },
      onError: (error) => failures.push(error),
    });
  servers = [await start(), await start()];
  connection = connect(database.databaseUrl);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await connection.close();
  await database.drop();
});

const rows = async (text: string) => (await connection.pool.query<Record<string, unknown>>(text)).rows;

async function work(worker: number): Promise<void> {
  const { url } = servers[worker % 2 === 0 ? 0 : 1];
  const settings = { baseUrl: url, timeoutMs: 60_000 };
  const client = createClient({ ...settings, apiKey: "cg_test_local" });
  const admin = await createAdminClient({ ...settings, adminToken }).organizationNamed("Acme");
  const random = createRandom(seed + worker);
  const own = { client, admin, random, books, seed, pool: connection.pool, unpaid: [], paid: [] };
  for (let count = 0; count < operations / workers; count++) await operate(own);
}

describe(`${operations} random operations by ${workers} workers (seed ${seed})`, { timeout: 900_000 }, () => {
  it("leave books that verify, and what was asked for; usage is debited once, and nothing deadlocks", async () => {
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker))).catch((error) => {
      throw new Error(
        ["An operation failed.", error, ...failures.map((failure) => inspect(failure))].join("\n"),
      );
    });
    await Promise.all(servers.map((server) => server.settled()));
    const settings = { baseUrl: servers[0].url, adminToken };
    const admin = await createAdminClient(settings).organizationNamed("Acme");
    while ((await admin.unbilled.resettle({ reason: "the rest" })).resettled > 0) await servers[0].settled();
    const dueGrants =
      "select from grants where state = 'scheduled' or state = 'active' and expires_at < now() + interval '10 s'";
    await expect.poll(async () => (await rows(dueGrants)).length, { message: "all have expired" }).toBe(0);
    if (process.env.CREDITGATE_OPERATIONS !== undefined) process.stdout.write(`${tally()}\n`);

    expect(failures).toEqual([]);
    expect((await verify(connection.database)).differences).toEqual([]);
    for (const journal of ["money", "credits"] as const) {
      const { accounts } = await admin.books.balance({ journal });
      const sums = new Map<string, number>();
      // In minor units and in micro-credits.
      for (const { currency, balance } of accounts)
        sums.set(currency, (sums.get(currency) ?? 0) + Math.round(balance * 1_000_000));
      expect(sums.size).toBeGreaterThan(0);
      expect([...sums].filter(([, sum]) => sum !== 0)).toEqual([]);
    }
    const reports = [{ count: BigInt(books.reports) }];
    expect(await rows("select count(*) from usage_reports")).toEqual(reports);
    expect(
      await rows(`
        select (select count(*) from ledger_entries where cause = 'usage')
             + (select count(*) from usage_outcomes where outcome = 'wallet_missing') as count`),
    ).toEqual(reports);
    const grants = (await rows(
      "select *, remaining::int as remaining, amount::int as amount from grants",
    )) as unknown as GrantRow[];
    const entries = (await rows(
      "select *, available::int as available from ledger_entries where currency = 'ai_credits' order by customer_id, entry_no",
    )) as unknown as EntryRow[];
    const spent = names.flatMap((name) => [
      ...replay(
        grants.filter(({ customer_id }) => customer_id === name),
        entries.filter(({ customer_id }) => customer_id === name),
      ),
    ]);
    // What was taken back before it began has no entry.
    const began = new Set(spent.map(([id]) => id));
    expect(new Map(spent)).toEqual(
      new Map(
        grants.flatMap(({ grant_id, remaining }) => (began.has(grant_id) ? [[grant_id, remaining]] : [])),
      ),
    );
    expect((await rows("select from budget_sums")).length).toBeGreaterThan(0);
    const left = await rows(`
      select customer.external_id as customer_id,
             (select sum(available - overage_used)::bigint / 1000000 from wallets
               where customer_id = customer.external_id and currency = 'ai_credits')
               + (select coalesce(sum(remaining), 0)::bigint / 1000000 from grants
                   where customer_id = customer.external_id and state <> 'active')
               - (select coalesce(sum(amount), 0)::bigint / 1000000 from grants
                   where customer_id = customer.external_id and allowance_id is not null and exists (
                         select from ledger_entries as begun
                          where begun.grant_id = grants.grant_id and cause = 'grant' and available - overage_used > 0)) as prepaid,
             (select sum(postpaid_used)::bigint / 1000000 from wallets where customer_id = customer.external_id)
               + (select coalesce(sum(credits), 0)::bigint / 1000000 from invoices
                   where customer_id = customer.external_id and kind = 'period' and voided_usage is distinct from 'rebilled') as postpaid,
             (select coalesce(sum(overage_used - available), 0)::bigint / 1000000 from wallets
               where customer_id = customer.external_id and currency = 'late_credits')
               + (select coalesce(sum(amount), 0)::bigint / 1000000 from usage_outcomes
                   where customer_id = customer.external_id and outcome = 'wallet_missing') as late
        from customers as customer order by 1`);
    expect(left).toEqual(
      names.map((name) => ({
        customer_id: name,
        prepaid: BigInt(books.prepaid.get(name) ?? 0),
        postpaid: BigInt(books.postpaid.get(name) ?? 0),
        late: BigInt(books.late.get(name) ?? 0),
      })),
    );
    expect(
      await rows(
        "select count(*) from orders where status = 'active' group by customer_id having count(*) > 1",
      ),
    ).toEqual([]);
    expect(await rows("select deadlocks from pg_stat_database where datname = current_database()")).toEqual([
      { deadlocks: 0n },
    ]);
  });
});

interface GrantRow {
  readonly customer_id: string;
  readonly grant_id: string;
  readonly source: string;
  readonly priority: number;
  readonly allowance_id: string | null;
  readonly amount: number;
  readonly remaining: number;
  readonly state: string;
  readonly effective_at: Date;
  readonly expires_at: Date | null;
}

interface EntryRow {
  readonly customer_id: string;
  readonly cause: string;
  readonly grant_id: string | null;
  readonly available: number;
  readonly accrued_at: Date;
  readonly entry_no: bigint;
}

/** What is left of the grants of a wallet, by spending what its entries take in the order that the documentation states. */
function replay(grants: readonly GrantRow[], entries: readonly EntryRow[]): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  const inWallet = new Set<string>();
  /** The grants of the allowances' present periods. */
  const present = new Map<string, GrantRow>();
  let rest = 0;
  let returned = 0;
  /** What is left of the period before stays for another one: no entry says so, since the wallet does not change. */
  const rollOver = (begun: GrantRow | undefined): void => {
    if (begun?.allowance_id == null) return;
    const last = present.get(begun.allowance_id);
    present.set(begun.allowance_id, begun);
    const rolled = grants.find(
      (grant) =>
        grant.allowance_id === begun.allowance_id &&
        !left.has(grant.grant_id) &&
        grant.effective_at.getTime() === last?.effective_at.getTime() &&
        (grant.expires_at ?? 0) > (last.expires_at ?? 0),
    );
    // What replaces a grant in the same period is for that period, too.
    if (last === undefined || rolled === undefined || last.effective_at >= begun.effective_at) return;
    left.set(last.grant_id, (left.get(last.grant_id) ?? 0) - rolled.amount);
    left.set(rolled.grant_id, rolled.amount);
    inWallet.add(rolled.grant_id);
  };
  const spend = (amount: number, { accrued_at: at, entry_no }: EntryRow): void => {
    const order = grants
      .filter(({ grant_id }) => inWallet.has(grant_id))
      .map(({ grant_id: id, source, priority, effective_at, expires_at }) => {
        const shortened = books.shortened.get(id);
        const expiry =
          shortened !== undefined && entry_no <= shortened.entry ? shortened.expiresAt : expires_at;
        const end = expiry?.getTime() ?? Number.POSITIVE_INFINITY;
        const turn = end <= at.getTime() ? 1 : effective_at > at ? 2 : 0;
        return { id, by: [turn, priority, end, source, effective_at.getTime(), id] };
      });
    order.push({ id: "", by: [0, 50, Number.POSITIVE_INFINITY, "purchase", 0, ""] });
    order.sort((a, b) => {
      const index = a.by.findIndex((part, position) => part !== b.by[position]);
      return (a.by[index] ?? 0) < (b.by[index] ?? 0) ? -1 : 1;
    });
    for (const { id } of order) {
      const part = Math.min(amount, id === "" ? rest : (left.get(id) ?? 0));
      amount -= part;
      if (id === "") rest -= part;
      else left.set(id, (left.get(id) ?? 0) - part);
    }
  };
  for (const entry of entries) {
    const { cause, grant_id: id, available } = entry;
    const held = left.get(id ?? "") ?? 0;
    if (cause === "expiry" && id !== null) {
      if (available > 0) returned += available;
      left.set(id, available > 0 ? held - available : held);
      inWallet.delete(id);
    } else if (cause === "credit_note" && id !== null) {
      left.set(id, held + available);
    } else if (cause === "grant" && id !== null && !left.has(id)) {
      rollOver(grants.find(({ grant_id }) => grant_id === id));
      left.set(id, available);
      inWallet.add(id);
    } else if (cause === "grant" && id !== null) {
      rest += held + available;
      left.set(id, -available);
      inWallet.delete(id);
    } else if (available > 0) rest += available;
    else {
      spend(-available - returned, entry);
      returned = 0;
    }
  }
  return left;
}

/** How often each operation was done. */
function tally(): string {
  return [...books.done]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${String(count).padStart(6)} ${name}`)
    .join("\n");
}
