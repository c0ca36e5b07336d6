import { execFile } from "node:child_process";
import { appendFile, chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../control-plane/src/database/embedded/embedded-postgres.ts";

/** A primary and its streaming replica, which a test may crash, cut off from each other, stop and promote. */
export interface Cluster {
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Ends the primary's processes in the midst of things; it starts again by itself. */
  crashPrimary(): Promise<void>;
  /** Resolves when the replica has all that the primary has committed. */
  caughtUp(): Promise<void>;
  /** The replica hears nothing more of the primary. */
  cutOff(): Promise<void>;
  /** Ends the primary as a machine that fails: nothing of it is written out or says goodbye, and it stays away. */
  killPrimary(): Promise<void>;
  stopPrimary(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** The replica answers as the primary, without one that it would wait for. */
  promote(): Promise<void>;
  /** Keeps the primary as it is now, for `restorePrimary`. */
  backUpPrimary(): Promise<void>;
  /** Brings the primary back to where it was, on a timeline of its own, as a restore to a moment does. */
  restorePrimary(): Promise<void>;
  /** Makes the replica anew from what was kept; it follows the primary on to its timeline. */
  restoreReplica(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** If the replica is synchronous, the primary acknowledges what the replica has written, too. */
export async function createCluster({ synchronous = false } = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-cluster-"));
  await chmod(folder, 0o755);
  const [first, second] = [join(folder, "a"), join(folder, "b")];
  const running = new Map<string, EmbeddedPostgres>();
  const start = async (data: string) => {
    // Processes die in these tests, machines do not.
    const settings = { fsync: "off", max_connections: "20", wal_retrieve_retry_interval: "100" };
    running.set(data, await startEmbeddedPostgres({ data, settings }));
  };
  const stop = async (data: string) => {
    await running.get(data)?.stop();
    running.delete(data);
  };
  const urlOf = (data: string) => running.get(data)?.databaseUrl ?? "";
  const poolOf = (data: string) => {
    const connectionString = urlOf(data);
    const pool = new pg.Pool({ connectionString, max: 4 });
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  };

  const beStandby = (data: string) =>
    // With the owner of the others.
    run("cp", ["-p", join(data, "postgres", "PG_VERSION"), join(data, "postgres", "standby.signal")]);
  const copyToReplica = async (data: string) => {
    await run("cp", ["-a", data, second]);
    await beStandby(second);
    // In the file, where the test can take it away.
    const primaryInfo = `primary_conninfo = 'host=${join(first, "postgres")} port=5432 user=creditgate'\n`;
    await appendFile(join(second, "postgres", "postgresql.auto.conf"), primaryInfo);
  };

  await start(first);
  await stop(first);
  await copyToReplica(first);
  await start(first);
  await start(second);
  const [primary, replica] = [poolOf(first), poolOf(second)];
  const kept = join(folder, "kept");
  const until = async (pool: pg.Pool, condition: string, values: readonly unknown[] = []) => {
    for (;;) {
      const { rows } = await pool.query(`select ${condition} as met`, [...values]);
      if (rows[0].met === true) return;
    }
  };
  if (synchronous) {
    for (const pool of [primary, replica]) {
      await pool.query("alter system set synchronous_standby_names = '*'");
      await pool.query("select pg_reload_conf()");
    }
    await until(primary, "exists (select from pg_stat_replication where sync_state = 'sync')");
  }
  return {
    primary,
    replica,
    primaryUrl: urlOf(first),
    replicaUrl: urlOf(second),
    async crashPrimary() {
      const startedAt = async () => {
        const { rows } = await primary.query("select pg_postmaster_start_time()::text as time");
        return rows[0].time;
      };
      const before = await startedAt();
      const [pid] = (await readFile(join(first, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
      // Until the crash has reached it, the old server answers too.
      let now = before;
      while (now === before) now = await startedAt().catch(() => before);
    },
    async caughtUp() {
      const { rows } = await primary.query("select pg_current_wal_flush_lsn()::text as lsn");
      await until(replica, "coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false)", [rows[0].lsn]);
    },
    async cutOff() {
      await replica.query("alter system set primary_conninfo = ''");
      await replica.query("select pg_reload_conf()");
      await until(replica, "not exists (select from pg_stat_wal_receiver)");
    },
    async killPrimary() {
      const [pid = ""] = (await readFile(join(first, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGSTOP");
      // From here on it is not started again.
      const stopped = stop(first);
      const { stdout } = await run("ps", ["-o", "pid=", "--ppid", pid]);
      await run("kill", ["-KILL", pid, ...stdout.trim().split(/\s+/)]).catch(() => undefined);
      await stopped;
    },
    stopPrimary: () => stop(first),
    stopReplica: () => stop(second),
    startReplica: () => start(second),
    async promote() {
      await replica.query("alter system reset synchronous_standby_names");
      await replica.query("select pg_reload_conf()");
      await until(replica, "pg_promote() and not pg_is_in_recovery()");
    },
    async backUpPrimary() {
      await stop(first);
      await run("cp", ["-a", first, kept]);
      await start(first);
    },
    async restorePrimary() {
      await stop(first);
      await rm(first, { recursive: true });
      await run("cp", ["-a", kept, first]);
      await beStandby(first);
      await start(first);
      await until(primary, "pg_promote() and not pg_is_in_recovery()");
    },
    async restoreReplica() {
      await stop(second);
      await rm(second, { recursive: true });
      await copyToReplica(kept);
      await start(second);
    },
    async close() {
      await Promise.all([primary.end(), replica.end()]);
      for (const data of running.keys()) await stop(data);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
