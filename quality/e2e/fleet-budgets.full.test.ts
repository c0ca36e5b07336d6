import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRedis } from "../../packages/redis/test/redis-server.ts";
import { cutOff, expectExact } from "./fleet/fleet-audit.ts";
import { commonFaults, type FleetSize, runFleetTrial } from "./fleet/fleet-trial.ts";
import { startPostgresStore } from "./fleet/postgres-stores.ts";
import { startRedisStore } from "./fleet/redis-stores.ts";
import type { SpentBudgets } from "./fleet/spender.ts";
import type { FragileServer } from "./fleet/store-server.ts";
import { fixtureOf } from "./gated-api.ts";

/** `npm run test:fleet` asks for twenty, in full size. */
const runs = Number(process.env.CREDITGATE_FLEET_RUNS ?? 0);
const spent: SpentBudgets = { members: 40, teams: 3 };
const hold = 7;
/** Pieces of work that fit. The members of team 0 use their budgets up before their team's; of the others each team does. */
const fits = runs > 0 ? { member: 60, team: 500 } : { member: 6, team: 40 };
const membersOf = (team: number) => Math.ceil((spent.members - team) / spent.teams);
const fitsInTeam = [membersOf(0) * fits.member, fits.team, fits.team] as const;
/** The wallet ends with the budgets: what one of them kept back would be missing. */
const funds = hold * fitsInTeam.reduce((sum, fit) => sum + fit, 0);
const size: FleetSize =
  runs > 0
    ? { processes: 8, attempts: 1_200, funds, hold, atOnce: 200, leaseMs: 3_000 }
    : { processes: 8, attempts: 80, funds, hold, atOnce: 25, leaseMs: 500 };

const stores = { Redis: startRedisStore, PostgreSQL: startPostgresStore };
const isPlayed = (title: string) => runs > 0 || title.includes("killed");
const faults = commonFaults.filter(({ title }) => isPlayed(title));
const leasing = runs > 0 ? [true, false] : [true];
const trials = faults
  .flatMap((fault) => leasing.map((leases) => ({ fault, leases })))
  .map(({ fault, leases }, at) => ({
    at,
    fault: { ...fault, task: { ...fault.task, budgets: spent } },
    leases,
    title: `${fault.title}, ${leases ? "with" : "without"} leases`,
  }));
const runsOf = Array.from({ length: Math.max(1, runs) }, (_, run) => run);
const customerOf = (store: string, at: number, run: number) => `${store}-${at}-${run}`;

const adminToken = "cga_a-token-for-these-tests";
let controlPlane: TestControlPlane;
let organization: OrganizationAdmin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-fleet-"));
  const wallet = { kind: "prepaid", currency: "ai_credits", available: funds } as const;
  const customers = Object.keys(stores).flatMap((store) =>
    trials.flatMap(({ at }) => runsOf.map((run) => [customerOf(store, at, run), wallet] as const)),
  );
  controlPlane = await startControlPlane({
    fixture: fixtureOf(Object.fromEntries(customers), { message: hold }),
    adminToken,
  });
  const admin = createAdminClient({ baseUrl: controlPlane.baseUrl, adminToken });
  organization = await admin.organizationNamed("Acme");
  for (const [customer] of customers) {
    await setBudget(customer, "member:*", fits.member);
    // More than its members may spend.
    await setBudget(customer, "team:0", fitsInTeam[0] + fits.member);
    for (const team of ["team:1", "team:2"]) await setBudget(customer, team, fits.team);
  }
});
afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const setBudget = (customerId: string, key: string, fit: number) =>
  organization.budgets.set(customerId, "ai_credits", key, { limit: hold * fit });

interface BudgetBook {
  readonly key: string;
  readonly limit: number;
  /** What the service says. */
  readonly used: number;
  /** By the reports that the service has. */
  readonly reported: number;
}

/** The budgets of a customer, by the service and by its reports. */
async function readBooks(customerId: string): Promise<readonly BudgetBook[]> {
  const database = new pg.Client({ connectionString: controlPlane.databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ model: string; keys: string[]; count: string }>(
      `select raw_usage->>'model' as model, count(*) as count,
         array(select one->>0 from jsonb_array_elements(budgets) as one) as keys
       from usage_reports where customer_id = $1 group by model, budgets`,
      [customerId],
    );
    const reported = new Map<string, number>();
    for (const { model, keys, count } of rows) {
      if (model !== cutOff) {
        const member = Number(model.split(":")[1]) % spent.members;
        expect(keys).toEqual([`member:${member}`, `team:${member % spent.teams}`]);
      }
      for (const key of keys) reported.set(key, (reported.get(key) ?? 0) + hold * Number(count));
    }
    return await Promise.all(
      [...reported].map(async ([key, credits]) => {
        const { limit, used } = await organization.budgets.get(customerId, "ai_credits", key);
        return { key, limit: Number(limit), used, reported: credits };
      }),
    );
  } finally {
    await database.end();
  }
}

/** Each budget has spent what the service says, which is what its members and their team can pay, to the last credit. */
async function expectExactBudgets(customerId: string): Promise<void> {
  const books = await readBooks(customerId);
  expect(books.filter(({ used, reported }) => used !== reported)).toEqual([]);
  expect(books.filter(({ used, limit }) => used > limit)).toEqual([]);
  const teams = Object.fromEntries(books.map(({ key, used }) => [key, used]));
  expect(fitsInTeam.map((_, team) => teams[`team:${team}`])).toEqual(fitsInTeam.map((fit) => hold * fit));
}

describe.each(Object.entries(stores))(
  "a fleet on %s that spends the budgets of one wallet",
  (store, start) => {
    const isLeftOut = store === "Redis" && noRedis;
    let server: FragileServer;
    beforeAll(async () => {
      if (!isLeftOut) server = await start();
    });
    afterAll(() => server?.stop());

    it.skipIf(isLeftOut).each(trials.map((trial) => [trial.title, trial] as const))(
      "admits and bills exactly what each can pay %s",
      async (title, { at, fault, leases }) => {
        const affordable = funds / hold;
        for (const run of runsOf) {
          const trial = {
            size,
            server,
            controlPlane,
            customerId: customerOf(store, at, run),
            fleet: `budgets_${at}_${run}`,
            folder: mkdtempSync(join(folder, "trial-")),
            leases,
            fault,
            strikesAt: Math.floor((affordable * (15 + ((run * 37) % 80))) / 100),
            victim: run % size.processes,
          };
          const summary = await expectExact(trial, await runFleetTrial(trial));
          await expectExactBudgets(trial.customerId);
          if (runs > 0) console.log(`${store}, ${title}, run ${run + 1}: ${summary}`);
        }
        expect(runsOf.length).toBeGreaterThan(0);
      },
      // A run takes seconds on two idle cores; in full size minutes where they are shared.
      runsOf.length * (runs > 0 ? 300_000 : 120_000),
    );
  },
);
