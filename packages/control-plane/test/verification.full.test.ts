import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, withDatabase } from "../src/database/connection.ts";
import { hasSchema } from "../src/database/migrate.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { createTestDatabase, usePostgres } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";
import { creditgate, openWorkplace, serve } from "./serve-process.ts";
import { queued } from "./usage-rows.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
  for (const indicator of ["message", "speech", "gift", "seat", "yen"])
    await scene.accept("alice", indicator);
  await settleDue(scene.database, new Date("2026-01-02"));
});
afterEach(() => scene.close());

/** Runs the command on the database of the scene. */
async function run(...args: string[]) {
  const { rows } = await scene.pool.query<{ name: string }>("select current_database() as name");
  const { databaseUrl } = await usePostgres();
  return creditgate(args, { DATABASE_URL: withDatabase(databaseUrl, rows[0]?.name ?? "") }).exit;
}

/** As somebody does who goes behind the ledger's back. */
const tamper = (statement: string) =>
  scene.pool.query(`set session_replication_role = replica; ${statement}`);

describe("verify", () => {
  it("finds no difference after all that happens to wallets", async () => {
    const closing = { database: scene.database, defaults: defaultPeriodSettings, actor: "test" };
    await closePeriods({ ...closing, now: new Date("2026-02-01") });
    await scene.accept("alice");
    expect(await verify(scene.database)).toEqual({
      organizations: 1n,
      wallets: 2n,
      entries: 4n,
      differences: [],
    });
  });

  it.each([
    [
      "update wallets set available = available + 1 where currency = 'ai_credits'",
      [
        {
          what: "wallet",
          subject: '["alice", "ai_credits"]',
          expected: "(99000000,0,0,0,2)",
          received: "(99000001,0,0,0,2)",
        },
        {
          what: "journal",
          subject: '["credits", "wallet:available", "ai_credits"]',
          expected: "-99000000",
          received: "-99000001",
        },
      ],
    ],
    [
      "delete from ledger_entries where cause = 'usage' and postpaid_used > 0",
      [
        {
          what: "wallet",
          subject: '["alice", "voice_credits"]',
          expected: "(0,0,0,0,0)",
          received: "(0,0,0,2000000,1)",
        },
        { what: "usage", expected: "0", received: "2000000" },
        {
          what: "journal",
          subject: '["credits", "wallet:postpaid", "voice_credits"]',
          expected: "0",
          received: "2000000",
        },
      ],
    ],
    [
      queued("usage_reports where indicator = 'message'", { counted: true }),
      [{ what: "usage", expected: "1000000", received: "1000000 unsettled" }],
    ],
    [
      `insert into invoices (org_id, invoice_id, customer_id, kind, status, credit_currency, credits, period_start, period_end, created_at, number, bill_to, names)
       select org_id, gen_random_uuid(), 'alice', 'period', 'open', 'voice_credits', 7, '2026-01-01', '2026-02-01', now(), 2, '{}', '{}' from organizations`,
      [
        { what: "invoice", expected: "0", received: "7" },
        { what: "invoice", subject: "numbers", expected: "1 to 0", received: "1 of 1 up to 2" },
      ],
    ],
    [
      "update ledger_entries set available_after = available_after + 1 where cause = 'usage' and available < 0",
      [
        {
          what: "entry",
          subject: '["alice", "ai_credits", 2]',
          expected: "(2,99000000,0,0,0)",
          received: "(2,99000001,0,0,0)",
        },
      ],
    ],
    [
      // Two entries of one wallet in another order than that of its lock.
      `insert into ledger_entries (entry_no, org_id, customer_id, currency, cause, reason, available, pending, overage_used, postpaid_used, created_at,
                                   available_after, pending_after, overage_used_after, postpaid_used_after)
       select n + 2, org_id, 'alice', 'ai_credits', 'correction', 'r', n, 0, 0, 0, now(), 99000004 - n, 0, 0, 0 from organizations, generate_series(1, 2) as n;
       update wallets set available = available + 3, last_entry = 4 where currency = 'ai_credits'`,
      [
        {
          what: "entry",
          subject: '["alice", "ai_credits", 3]',
          expected: "(3,99000001,0,0,0)",
          received: "(3,99000003,0,0,0)",
        },
      ],
    ],
    [
      "update ledger_entries set entry_no = 3 where currency = 'ai_credits' and entry_no = 2; update wallets set last_entry = 3 where currency = 'ai_credits'",
      [
        { what: "wallet", expected: "(99000000,0,0,0,2)", received: "(99000000,0,0,0,3)" },
        { what: "entry", expected: "(2,99000000,0,0,0)", received: "(3,99000000,0,0,0)" },
      ],
    ],
    [
      `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
       select org_id, customer_id, currency, entry_no + 1, cause, usage_id, available, pending, overage_used, postpaid_used, now() + interval '1 year',
              available_after + available, pending_after, overage_used_after, postpaid_used_after
         from ledger_entries where cause = 'usage' and available < 0;
       update wallets set available = available - 1000000, last_entry = last_entry + 1 where currency = 'ai_credits'`,
      [{ what: "usage", expected: "2000000", received: "1000000" }],
    ],
    [
      `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, reason, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
       select org_id, 'nobody', 'ai_credits', 1, 'correction', 'r', 5, 0, 0, 0, now(), 5, 0, 0, 0 from organizations`,
      [
        { what: "wallet", subject: '["nobody", "ai_credits"]', expected: "(5,0,0,0,1)", received: "(,,,,)" },
        { what: "journal" },
      ],
    ],
  ])("finds what %s has done", async (statement, differences) => {
    await tamper(statement);
    expect((await verify(scene.database)).differences).toMatchObject(differences);
  });
});

describe("creditgate verify and close-period", () => {
  it("end with 0 where the books are right, and verify with 1 where they are not, naming each difference", async () => {
    expect(await run("verify")).toMatchObject({
      code: 0,
      stdout: "2 wallets, 3 entries, 0 differences\n",
      stderr: "",
    });
    expect(await run("close-period", "--organization", "Nobody")).toMatchObject({ code: 2, stdout: "" });
    await scene.pool.query("update wallets set accrues_from = '2000-01-01'");
    expect(await run("close-period", "--organization", "Acme")).toMatchObject({
      code: 0,
      stdout: "1 invoices\n",
    });
    expect(await run("close-period")).toMatchObject({ code: 0, stdout: "0 invoices\n" });
    await tamper("update wallets set available = 1 where currency = 'ai_credits'");
    expect(await run("verify")).toMatchObject({
      code: 1,
      stdout: `wallet ["alice", "ai_credits"] of organisation ${scene.orgId}: expected (99000000,0,0,0,2), received (1,0,0,0,2)
journal ["credits", "wallet:available", "ai_credits"] of organisation ${scene.orgId}: expected -99000000, received -1
2 wallets, 4 entries, 2 differences
`,
    });
  });

  it("work on an embedded PostgreSQL, whether creditgate serve is using it or not", async () => {
    const workplace = await openWorkplace();
    const server = await serve(workplace);
    const args = ["verify", "--data", workplace.data];
    const books = { code: 0, stdout: "2 wallets, 1 entries, 0 differences\n", stderr: "" };
    expect(await creditgate(args).exit).toMatchObject(books);
    expect((await server.call("GET", "/api/v1/agents")).status).toBe(200);
    server.process.kill("SIGTERM");
    await server.exit;
    expect(await creditgate(args).exit).toMatchObject(books);
    await workplace.remove();
  });

  it("refuse to begin where nothing was kept, and create nothing: no data directory", async () => {
    const workplace = await openWorkplace();
    for (const command of ["verify", "close-period"]) {
      const { code, stderr } = await creditgate([command, "--data", workplace.data]).exit;
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `creditgate: --data: expected the data directory of a creditgate serve, received ${workplace.data}, which has no PostgreSQL in it. Name the directory, or set DATABASE_URL.\ncreditgate ${command} --help shows the options.\n`,
      });
    }
    expect(existsSync(workplace.data)).toBe(false);
    await workplace.remove();
  });

  it("refuse a database of something else, and create no tables in it", async () => {
    const foreign = await createTestDatabase();
    for (const command of ["verify", "close-period"]) {
      const { code, stderr } = await creditgate([command], { DATABASE_URL: foreign.databaseUrl }).exit;
      expect(code).toBe(2);
      expect(stderr).toContain(
        "DATABASE_URL or --data: expected a database of creditgate, received one without its tables.",
      );
    }
    const { pool, close } = connect(foreign.databaseUrl);
    expect(await hasSchema(pool)).toBe(false);
    await close();
    await foreign.drop();
  });

  it("do not call a database right that has no organisation: verify ends with 1", async () => {
    const empty = await createTestDatabase();
    const environment = { DATABASE_URL: empty.databaseUrl };
    expect(await creditgate(["migrate"], environment).exit).toMatchObject({ code: 0 });
    expect(await creditgate(["verify"], environment).exit).toMatchObject({
      code: 1,
      stdout: "nothing to verify: the database has no organisation. Is it the right one?\n",
    });
    await empty.drop();
  });
});
