import { randomUUID } from "node:crypto";
import type { GateIdentity } from "@creditgate/client";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { createSpendingWatch, type SpendingWatch } from "../src/gates/spending-watch.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/test-database.ts";

const minute = 60_000;
const customers = 2_000;
const ai = "ai_credits";
let test: TestDatabase;
let connection: Connection;
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
const errors: unknown[] = [];

beforeAll(async () => {
  test = await createMigratedDatabase();
  connection = connect(test.databaseUrl);
});
afterAll(async () => {
  await connection.close();
  await test.drop();
});

/** An organisation whose customers each have a wallet. */
async function organization(wallet = sql`'prepaid', 0`): Promise<bigint> {
  const { org_id } = await connection.database
    .insertInto("organizations")
    .values({ name: `org ${randomUUID()}`, created_at: new Date(clock.time) })
    .returning("org_id")
    .executeTakeFirstOrThrow();
  await sql`insert into customers (org_id, external_id, name, created_at)
            select ${org_id}, 'c' || n, 'C', now() from generate_series(0, ${customers - 1}::int) n`.execute(
    connection.database,
  );
  await sql`insert into wallets (org_id, customer_id, currency, kind, postpaid_limit)
            select ${org_id}, 'c' || n, ${ai}, ${wallet} from generate_series(0, ${customers - 1}::int) n`.execute(
    connection.database,
  );
  return org_id;
}

const replica = (database = connection.database): SpendingWatch =>
  createSpendingWatch({ database, clock, onError: (error) => errors.push(error) });

const process = (): GateIdentity => ({ id: randomUUID(), ledger: "memory" });
const headerOf = ({ id, ledger }: GateIdentity) => `${id}; ledger=${ledger}`;

/** What each replica has noted is written, and known to all of them. */
async function passed(orgId: bigint, ...replicas: readonly SpendingWatch[]): Promise<unknown> {
  for (let round = 0; round < 2; round++) {
    clock.time += minute;
    for (const one of replicas) await one.report(orgId, undefined);
  }
  return replicas.at(-1)?.report(orgId, undefined);
}

async function rows(orgId: bigint): Promise<number> {
  const { count } = await connection.database
    .selectFrom("gate_wallets")
    .select(sql<bigint>`count(*)`.as("count"))
    .where("org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

describe("replicas of the control plane", () => {
  it("know it together, though each has seen one process only", async () => {
    const orgId = await organization();
    const [left, right, idle] = [replica(), replica(), replica()];
    const [one, other] = [process(), process()];
    for (let passes = 0; passes < 12; passes++) {
      left.note(orgId, one, "c1", ai);
      right.note(orgId, other, "c1", ai);
      clock.time += minute;
    }
    expect(await passed(orgId, left, right, idle)).toBe("2");
    for (const each of [left, right, idle]) {
      expect(each.report(orgId, headerOf(one))).toBe("2");
      expect(each.report(orgId, headerOf(other))).toBe("2");
      expect(each.report(orgId, headerOf(process()))).toBeUndefined();
    }
    expect(errors).toEqual([]);
  });

  it("write the same rows at once", async () => {
    const orgId = await organization();
    const replicas = [replica(), replica(), replica(), replica()];
    const processes = [process(), process(), process()];
    for (let passes = 0; passes < 14; passes++) {
      for (const one of replicas)
        for (const each of processes)
          for (let n = 0; n < 40; n++) one.note(orgId, each, `c${(n + passes) % 40}`, ai);
      clock.time += minute;
    }
    await Promise.all(replicas.map((one) => passed(orgId, one)));
    expect(await passed(orgId, ...replicas)).toBe("3");
    expect(errors).toEqual([]);
  });

  it("go on when the database was away, with all that was noted meanwhile", async () => {
    const orgId = await organization();
    const closed = connect(test.databaseUrl);
    const watch = replica(closed.database);
    await closed.close();
    watch.note(orgId, process(), "c1", ai);
    await passed(orgId, watch);
    await passed(orgId, watch);
    expect(errors.splice(0)).toHaveLength(1);
  });
});

describe("a sample of the wallets", () => {
  it("is small, and finds processes that both spend many of them", async () => {
    const orgId = await organization();
    const [left, right] = [replica(), replica()];
    const [one, other] = [process(), process()];
    for (let passes = 0; passes < 12; passes++) {
      for (let n = 0; n < customers; n++) {
        left.note(orgId, one, `c${n}`, ai);
        // Half of the wallets, in another order.
        right.note(orgId, other, `c${customers - 2 - 2 * (n % (customers / 2))}`, ai);
      }
      clock.time += minute;
    }
    expect(await passed(orgId, left, right)).toBe("2");
    expect(await rows(orgId)).toBeLessThan(1_000);
  });

  it("finds nothing where each process has customers of its own", async () => {
    const orgId = await organization();
    const [left, right] = [replica(), replica()];
    const [one, other] = [process(), process()];
    for (let passes = 0; passes < 12; passes++) {
      for (let n = 0; n < customers / 2; n++) {
        left.note(orgId, one, `c${2 * n}`, ai);
        right.note(orgId, other, `c${2 * n + 1}`, ai);
      }
      clock.time += minute;
    }
    expect(await passed(orgId, left, right)).toBeUndefined();
  });

  it("is of a hundred ledgers at most, whoever calls itself how", async () => {
    const orgId = await organization();
    const watch = replica();
    for (let n = 0; n < 10_000; n++) watch.note(orgId, process(), "c1", ai);
    await passed(orgId, watch);
    expect(await rows(orgId)).toBe(100);
  });
});

describe("wallets without a limit", () => {
  it("cannot be overspent, so that nothing is reported of them", async () => {
    const spend = async (orgId: bigint) => {
      const watch = replica();
      const processes = [process(), process()];
      for (let passes = 0; passes < 12; passes++) {
        for (const one of processes) watch.note(orgId, one, "c1", ai);
        clock.time += minute;
      }
      return passed(orgId, watch);
    };
    expect(await spend(await organization(sql`'postpaid', 0`))).toBeUndefined();
    expect(await spend(await organization(sql`'postpaid', 5000000`))).toBe("2");
  });
});

describe("the database", () => {
  it("is written to once in a minute, however much is spent", async () => {
    const orgId = await organization();
    const written = async () => {
      const { rows } = await sql<{
        updates: bigint;
      }>`select max(xmin::text::bigint) as updates
        from gate_wallets where org_id = ${orgId}`.execute(connection.database);
      return rows[0]?.updates;
    };
    const watch = replica();
    const one = process();
    watch.note(orgId, one, "c1", ai);
    await passed(orgId, watch);
    const before = await written();
    const due = clock.time;
    for (; clock.time < due + 59_000; clock.time += 100) watch.note(orgId, one, "c1", ai);
    await watch.report(orgId, undefined);
    expect(await written()).toBe(before);
    clock.time = due + 60_000;
    await watch.report(orgId, undefined);
    expect(await written()).not.toBe(before);
  });
});
