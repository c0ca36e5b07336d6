import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit } from "../src/audit/audit-log.ts";
import { grantToApp } from "../src/database/app-role.ts";
import { connect, isUnavailable } from "../src/database/connection.ts";
import { keepPartitions, letPartitionGo, makePartitions, tablesByMonth } from "../src/database/partitions.ts";
import { type Answer, once } from "../src/endpoint/idempotency.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { waitsForLock } from "./database-activity.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
/** The beginning of the first month that has partitions of its own. */
let turn: number;
beforeEach(async () => {
  scene = await openScene(acme);
  const { rows } = await scene.pool.query<{ ends_at: Date }>(
    "select ends_at from partition_spans('audit_log')",
  );
  turn = rows[0]?.ends_at.getTime() ?? Number.NaN;
});
afterEach(() => scene.close());

const later = (months: number, ms = 0): Date => {
  const date = new Date(turn);
  date.setUTCMonth(date.getUTCMonth() + months);
  return new Date(date.getTime() + ms);
};
const nameOf = (table: string, months: number): string =>
  `${table}_${later(months).toISOString().slice(0, 7).replace("-", "_")}`;
const dayMs = 86_400_000;

/** Asks under a key; answers differ, so that a repetition is told from another first answer. */
async function ask(key: string, at: Date, { hash = "0".repeat(64), idle = false } = {}): Promise<Answer> {
  const { database, orgId } = scene;
  return once(database, "test", { orgId, key, hash }, at, async () => ({
    status: 200,
    body: randomUUID(),
    idle,
  }));
}

async function note(at: Date, orgId?: bigint): Promise<void> {
  const record = { orgId, actor: "test", action: "user.sign_in", subject: "x" } as const;
  await scene.database.transaction().execute((transaction) => audit(transaction, record, at));
}

/** In which partitions of a table there are rows. */
async function filled(table: string): Promise<readonly string[]> {
  const { rows } = await scene.pool.query<{ name: string }>(
    `select distinct tableoid::regclass::text as name from ${table} order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe("the partitions of answers and of the audit log", () => {
  it("are made for this month and the next two, once, however many make them at once", async () => {
    for (const table of tablesByMonth) {
      const made = await Promise.all([1, 2, 3].map(() => makePartitions(scene.database, table, later(0))));
      expect(made.flat()).toEqual([0, 1, 2].map((months) => nameOf(table, months)));
      expect(await makePartitions(scene.database, table, later(1))).toEqual([nameOf(table, 3)]);
    }
    for (const months of [-1, 0, 5]) {
      await ask(randomUUID(), later(months));
      await note(later(months), scene.orgId);
    }
    for (const table of ["idempotent_answers", "audit_log"]) {
      expect(await filled(table)).toEqual(
        [nameOf(table, 0), `${table}_default`, `${table}_first`].toSorted(),
      );
    }
  });

  it("leave rows where they are that came before one was made for their month", async () => {
    await note(later(0), scene.orgId);
    expect(await makePartitions(scene.database, "audit_log", later(0))).toEqual(
      [1, 2].map((months) => nameOf("audit_log", months)),
    );
    expect(await filled("audit_log")).toContain("audit_log_default");
  });

  it("are made of the months that a clock has left out which was ahead for a while", async () => {
    for (const table of tablesByMonth) {
      for (const months of [0, 12]) await makePartitions(scene.database, table, later(months));
      expect(await makePartitions(scene.database, table, later(2))).toEqual(
        [3, 4].map((months) => nameOf(table, months)),
      );
      expect(await makePartitions(scene.database, table, later(2))).toEqual([]);
      expect(await makePartitions(scene.database, table, later(9))).toEqual(
        [9, 10, 11].map((months) => nameOf(table, months)),
      );
    }
  });

  it("leave out the month of a row that is being written", async () => {
    const writer = await scene.pool.connect();
    try {
      await writer.query("begin");
      await writer.query(
        `insert into audit_log (org_id, actor, action, subject, at) values (0, 'test', 'user.sign_in', '"x"', $1)`,
        [later(0)],
      );
      const making = makePartitions(scene.database, "audit_log", later(0));
      await expect.poll(() => waitsForLock(scene.pool)).toBe(1);
      await writer.query("commit");
      expect(await making).toEqual([1, 2].map((months) => nameOf("audit_log", months)));
    } finally {
      writer.release(true);
    }
  });

  it("make who writes to their month meanwhile try again", async () => {
    const maker = await scene.pool.connect();
    try {
      await maker.query("begin");
      await maker.query("select make_partitions('audit_log', $1)", [later(0)]);
      const writing = note(later(1)).catch((error: unknown) => error);
      await expect.poll(() => waitsForLock(scene.pool)).toBe(1);
      await maker.query("commit");
      expect(isUnavailable(await writing)).toBe(true);
      await note(later(1));
      expect(await filled("audit_log")).toContain(nameOf("audit_log", 1));
    } finally {
      maker.release(true);
    }
  });

  it("refuse changes of the audit log in each of them", async () => {
    await makePartitions(scene.database, "audit_log", later(0));
    for (const months of [-1, 0, 5]) await note(later(months));
    for (const table of ["audit_log", ...(await filled("audit_log"))]) {
      for (const change of [`update ${table} set actor = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(scene.pool.query(change), change).rejects.toThrow("is append-only");
      }
    }
  });
});

describe("an answer's key", () => {
  it("gets the first answer again in later months, for as long as the answer is there", async () => {
    await makePartitions(scene.database, "idempotent_answers", later(0));
    const key = randomUUID();
    const first = await ask(key, later(-1, dayMs));
    const { status, body } = first;
    for (const months of [0, 1, 7]) expect(await ask(key, later(months, dayMs))).toEqual({ status, body });
    await expect(ask(key, later(2, dayMs), { hash: "1".repeat(64) })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    await scene.pool.query("update organizations set answers_kept_months = 2");
    expect(await letPartitionGo(scene.database, "idempotent_answers", later(2))).toBe(
      "idempotent_answers_first",
    );
    expect(await ask(key, later(2, dayMs))).not.toEqual({ status, body });
  });

  it("is of the first of two who ask at the turn of a month, and free where that one fails or does nothing", async () => {
    await makePartitions(scene.database, "idempotent_answers", later(0));
    const { database, orgId, pool } = scene;
    for (const outcome of ["answers", "fails", "does nothing"] as const) {
      const identity = { orgId, key: randomUUID(), hash: "0".repeat(64) };
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const old = once(database, "test", identity, later(0, -1), async () => {
        begin();
        await held;
        if (outcome === "fails") throw new Error("failed");
        return { status: 200, body: "old", idle: outcome === "does nothing" };
      });
      await begun;
      const young = once(database, "test", identity, later(0, 1), async () => ({
        status: 200,
        body: "young",
      }));
      await expect.poll(() => waitsForLock(pool)).toBe(1);
      finish();
      if (outcome === "fails") await expect(old).rejects.toThrow("failed");
      else await old;
      expect(await young, outcome).toEqual({ status: 200, body: outcome === "answers" ? "old" : "young" });
    }
    const keys = "select count(*) from answer_keys_at_turn";
    expect((await pool.query(keys)).rows).toEqual([{ count: 3n }]);
    await keepPartitions(database, later(0, dayMs + 60_000));
    expect((await pool.query(keys)).rows).toEqual([{ count: 0n }]);
  });
});

describe("a month that every organisation lets go", () => {
  it("is dropped of answers, and of the audit log detached, where nothing is lost", async () => {
    const { database, pool, orgId } = scene;
    await keepPartitions(database, later(0));
    for (const months of [-1, 0, 1]) {
      await ask(randomUUID(), later(months));
      await note(later(months), orgId);
    }
    const count = async (table: string) =>
      Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);
    const before = await count("audit_log_first");
    await pool.query("insert into organizations (name) values ('Without any')");
    await keepPartitions(database, later(50));
    expect(await filled("audit_log")).toContain("audit_log_first");
    await pool.query(
      "update organizations set answers_kept_months = 2, audit_kept_months = 3 where org_id = $1",
      [orgId],
    );
    for (const table of ["idempotent_answers", "audit_log"] as const) {
      expect(await letPartitionGo(database, table, later(2, -1))).toBeUndefined();
    }
    await keepPartitions(database, later(2));
    expect(await filled("idempotent_answers")).toEqual(
      [0, 1].map((months) => nameOf("idempotent_answers", months)),
    );
    expect(await filled("audit_log")).toContain("audit_log_first");
    await keepPartitions(database, later(4));
    expect(await filled("idempotent_answers")).toEqual([]);
    expect(await filled("audit_log")).toEqual([nameOf("audit_log", 1)]);
    expect(await count("audit_log_first")).toBe(before);
    expect((await pool.query("select name, until from detached_partitions order by until")).rows).toEqual([
      { name: "audit_log_first", until: later(0) },
      { name: nameOf("audit_log", 0), until: later(1) },
    ]);
    await expect(pool.query("delete from audit_log_first")).rejects.toThrow("is append-only");
  });

  it("goes again where a clock that was behind has made it anew", async () => {
    const { database, pool, orgId } = scene;
    await pool.query(
      "update organizations set audit_kept_months = 2, answers_kept_months = 2, ledger_kept_months = 2",
    );
    await keepPartitions(database, later(0));
    await keepPartitions(database, later(5));
    await pool.query(`drop table ${nameOf("audit_log", 1)}`);
    await keepPartitions(database, later(1));
    await note(later(1), orgId);
    expect(await filled("audit_log")).toEqual([nameOf("audit_log", 1)]);
    await keepPartitions(database, later(5));
    expect(await filled("audit_log")).toEqual([]);
    expect(
      (await pool.query("select until from detached_partitions where name = $1", [nameOf("audit_log", 1)]))
        .rows,
    ).toEqual([{ until: later(2) }]);
  });

  it("stays in the audit log while it tells of no organisation, and one keeps its own", async () => {
    const { database, pool, orgId } = scene;
    await keepPartitions(database, later(0));
    await note(later(0));
    await pool.query("update organizations set audit_kept_months = 2 where org_id = $1", [orgId]);
    await pool.query("insert into organizations (name) values ('Keeps')");
    await keepPartitions(database, later(50));
    expect(await filled("audit_log")).toEqual([nameOf("audit_log", 0)]);
    await pool.query("update organizations set audit_kept_months = 2");
    await keepPartitions(database, later(50));
    expect(await filled("audit_log")).toEqual([]);
  });

  it("is told by the metrics for as long as the owner has not dropped its table", async () => {
    const { database, pool, clock } = scene;
    const metrics = createMetrics({
      ...scene,
      pools: { requests: pool },
      periodSettings: defaultPeriodSettings,
    });
    const told = async (name: string) =>
      Number(
        (await metrics.render())
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")[1],
      );
    const ends = 'creditgate_partitions_end_seconds{table="audit_log"}';
    clock.time = later(0, -dayMs).getTime();
    expect(await told(ends)).toBe(dayMs / 1_000);
    await keepPartitions(database, later(0));
    expect(await told(ends)).toBe((later(3).getTime() - clock.time) / 1_000);
    // Those that a wrong clock has made do not hide that the next ones are missing.
    await keepPartitions(database, later(12));
    expect(await told(ends)).toBe((later(3).getTime() - clock.time) / 1_000);
    expect(await told("creditgate_partitions_detached")).toBe(0);
    await pool.query("update organizations set audit_kept_months = 2");
    await keepPartitions(database, later(2));
    expect(await told("creditgate_partitions_detached")).toBe(1);
    await pool.query("drop table audit_log_first");
    expect(await told("creditgate_partitions_detached")).toBe(0);
  });
});

describe("a role that may not change the schema", () => {
  it("makes partitions and lets them go, waits for no lock for long, and reads nothing that is detached", async () => {
    const { pool, databaseUrl } = scene;
    const role = `app_${randomUUID().slice(0, 8)}`;
    await pool.query(`create role ${role} login`);
    await grantToApp(pool, role);
    const app = connect(databaseUrl, 2);
    const held = await pool.connect();
    try {
      app.pool.on("connect", (client) => void client.query(`set role ${role}`));
      await held.query("begin; lock table audit_log_default in share mode");
      await keepPartitions(app.database, later(0));
      await held.query("rollback");
      expect(await makePartitions(app.database, "idempotent_answers", later(0))).toEqual([]);
      expect(await makePartitions(app.database, "audit_log", later(0))).toHaveLength(3);
      await pool.query("update organizations set audit_kept_months = 2");
      expect(await letPartitionGo(app.database, "audit_log", later(2))).toBe("audit_log_first");
      for (const statement of [
        "table audit_log_first",
        "select make_partition('audit_log', 'audit_log_more', 'default')",
        "delete from detached_partitions",
        "drop table audit_log_default",
      ]) {
        await expect(app.pool.query(statement), statement).rejects.toMatchObject({ code: "42501" });
      }
      await expect(app.pool.query("select let_partition_go('wallets', now())")).rejects.toThrow(
        "received wallets",
      );
    } finally {
      held.release();
      await app.close();
      await pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
