import { spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ControlPlaneError } from "../../control-plane-error.ts";
import { errorCode } from "../../error-code.ts";
import type { Account } from "./account.ts";
import { postgresEnvironment } from "./data-directory.ts";
import { isPostmaster, postmasterFile, recordedPid } from "./postmaster.ts";
import { until } from "./until.ts";

export interface PostgresProcessOptions {
  readonly binary: string;
  readonly dataDirectory: string;
  /** Where PostgreSQL's own messages go; begun anew at every start. */
  readonly log: string;
  readonly account: Account;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface PostgresProcess {
  pid(): number;
  ensureRunning(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Recovery after a crash may take its time. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
/** So long a start that fails at once is tried again: the last PostgreSQL on these data may still be ending. */
const contentionMs = 10_000;

export function createPostgresProcess(options: PostgresProcessOptions): PostgresProcess {
  const { dataDirectory } = options;
  let postmaster = 0;

  /** The PostgreSQL that has these data open, whoever started it. */
  const runningPid = async (): Promise<number | undefined> => {
    const pid = await recordedPid(dataDirectory);
    return pid !== undefined && (await isPostmaster(pid, dataDirectory)) ? pid : undefined;
  };

  const ensureRunning = async (): Promise<void> => {
    const started = performance.now();
    let exitCode: number | null | undefined;
    while (!(await answers(options.databaseUrl))) {
      const elapsed = performance.now() - started;
      const pid = await runningPid();
      if (
        elapsed > startTimeoutMs ||
        (exitCode !== undefined && elapsed > contentionMs && pid === undefined)
      ) {
        throw await failure(exitCode);
      }
      if (pid !== undefined) {
        await delay(25);
        continue;
      }
      await dropForeignLock(dataDirectory);
      exitCode = await launch();
    }
    postmaster = (await runningPid()) ?? postmaster;
  };

  /** Resolves `undefined` when the server answers, its exit code when it has ended before. */
  const launch = async (): Promise<number | null | undefined> => {
    const log = await open(options.log, "w", 0o600);
    try {
      const child = spawn(options.binary, ["-D", dataDirectory, ...flags(options.settings)], {
        ...options.account,
        cwd: dataDirectory,
        env: postgresEnvironment,
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
      });
      let exitCode: number | null | undefined;
      child.once("exit", (code) => {
        exitCode = code;
      });
      child.once("error", () => {
        exitCode = null;
      });
      child.unref();
      await until(startTimeoutMs, async () => exitCode !== undefined || (await answers(options.databaseUrl)));
      if (exitCode !== undefined) await delay(100);
      return exitCode;
    } finally {
      await log.close();
    }
  };

  const failure = async (exitCode: number | null | undefined): Promise<ControlPlaneError> => {
    const lines = (await readFile(options.log, "utf8").catch(() => "")).trim().split("\n");
    return new ControlPlaneError(
      "postgres_failed",
      `embedded PostgreSQL: expected it to start, received ${exitCode === undefined ? "no answer" : `exit code ${exitCode}`}. The end of ${options.log}:\n${lines.slice(-8).join("\n")}`,
    );
  };

  const signal = (name: NodeJS.Signals): void => {
    try {
      if (postmaster > 0) process.kill(postmaster, name);
    } catch {
      // It has ended, which is what the signal was to achieve.
    }
  };

  return {
    pid: () => postmaster,
    ensureRunning,
    signal,
    async stop() {
      const gone = async () => (await runningPid()) === undefined;
      // "Fast": sessions are ended, what is committed is written out.
      signal("SIGINT");
      if (await until(stopTimeoutMs, gone)) return;
      signal("SIGQUIT");
      await until(stopTimeoutMs, gone);
    },
  };
}

/** PostgreSQL deals with a stale lock file itself, unless the number in it is another process's by now. */
async function dropForeignLock(dataDirectory: string): Promise<void> {
  const pid = await recordedPid(dataDirectory);
  if (pid === undefined || !exists(pid) || (await isPostmaster(pid, dataDirectory))) return;
  await rm(path.join(dataDirectory, postmasterFile), { force: true });
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  const all = {
    listen_addresses: "",
    // Relative to the data directory: the kernel limits the length of a socket's path.
    unix_socket_directories: ".",
    timezone: "UTC",
    log_timezone: "UTC",
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Any refusal is "not yet": the caller knows for how long it goes on asking. */
async function answers(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
