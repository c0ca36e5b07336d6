import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDatabase } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { dumpablePostgres } from "./postgres-tools.ts";
import { creditgate } from "./serve-process.ts";
import { startLoad } from "./upgrade-load.ts";

const postgres = await dumpablePostgres();
const apiKey = acme.organization.apiKey ?? "";
const suffix = randomBytes(6).toString("hex");
const role = `creditgate_restored_${suffix}`;
const [source, target] = [`creditgate_source_${suffix}`, `creditgate_target_${suffix}`];
const urlOf = (name: string) => withDatabase(postgres?.databaseUrl ?? "", name);
let folder: string;

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgres?.databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  if (postgres === undefined) return;
  folder = await mkdtemp(path.join(tmpdir(), "creditgate-backup-"));
  await administer(`create database ${source}`, `create role ${role} login password '${role}'`);
});
afterAll(async () => {
  if (postgres === undefined) return;
  await administer(
    `drop database if exists ${source} with (force)`,
    `drop database if exists ${target} with (force)`,
    `drop role ${role}`,
  );
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const serveOn = (databaseUrl: string): Promise<RunningServer> =>
  startServer({ databaseUrl, port: 0, settlementDelayMs: 0, rateLimitPerSecond: 0, fixture: acme });

/** A budget of each member of Alice's. */
async function setBudget(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into budgets (org_id, customer_id, currency, key, credit_limit, every, time_zone, begun_at)
       select org_id, external_id, 'ai_credits', 'member:*', 1000000, 'month', 'Europe/Amsterdam', '2026-01-01'
         from customers where external_id = 'alice'`,
    );
  } finally {
    await client.end();
  }
}

/** What a member of Alice's has used. */
async function usedOf({ url }: RunningServer): Promise<unknown> {
  const { json } = await caller({ baseUrl: url, apiKey })("POST", "/api/v1/wallet/balance", {
    body: { customer_id: "alice", budgets: { ai_credits: ["member:1"] } },
  });
  return json.budgets;
}

/** The ID that a report with this key is answered with. */
async function report({ url }: RunningServer, key: string): Promise<unknown> {
  const headers = { "idempotency-key": key };
  const { status, json } = await caller({ baseUrl: url, apiKey })("POST", "/api/v2/usage", {
    body: usageOf({ rawUsage: {}, budgets: [{ key: "member:1" }] }),
    headers,
  });
  expect(status).toBe(202);
  return json.id;
}

describe.skipIf(postgres === undefined)("a dump that is taken under load", () => {
  it("is restored as OPERATIONS.md says: the books agree, keys work, and what was told before is known", async () => {
    const before = await serveOn(urlOf(source));
    await setBudget(urlOf(source));
    const load = startLoad(apiKey);
    load.add(before.url);
    await load.answered(50);
    const known = await report(before, "before-the-dump");
    const file = path.join(folder, "creditgate.dump");
    await postgres?.run("pg_dump", "--format=custom", `--file=${file}`, urlOf(source));
    const lost = await report(before, "after-the-dump");
    await load.answered(20);
    expect((await load.stop()).failures).toEqual([]);
    await before.stop();

    await administer(`create database ${target}`);
    const options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];
    await postgres?.run("pg_restore", ...options, `--dbname=${urlOf(target)}`, file);
    const environment = { DATABASE_URL: urlOf(target) };
    const [migrated, verified] = [
      await creditgate(["migrate", "--app-role", role], environment).exit,
      await creditgate(["verify"], environment).exit,
    ];
    expect(migrated).toMatchObject({ code: 0, stderr: "" });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining(", 0 differences") });

    const appUrl = new URL(urlOf(target));
    appUrl.username = role;
    appUrl.password = role;
    const after = await serveOn(appUrl.href);
    expect(await report(after, "before-the-dump")).toBe(known);
    expect(await report(after, "after-the-dump")).not.toBe(lost);
    // What was not settled yet in the dump is now.
    await after.settled();
    expect(await usedOf(after)).toMatchObject({ ai_credits: { "member:1": { used: 2, unsettled: 0 } } });
    await after.stop();
    expect((await creditgate(["verify"], environment).exit).stdout).toContain(", 0 differences");
  });
});
