import { execFile, spawn } from "node:child_process";
import { type FileHandle, mkdtemp, open, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { ControlPlaneError, errorCode } from "../../errors/control-plane-error.ts";
import type { Account } from "./account.ts";
import { bareEnvironment } from "./data-directory.ts";
import { until } from "./owner.ts";

interface PostgresProcessOptions {
  readonly binary: string;
  readonly dataDirectory: string;
  /** Where PostgreSQL's own messages go. */
  readonly log: string;
  readonly account: Account;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
}

interface PostgresProcess {
  ensureRunning(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Recovery after a crash may take its time. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
/** So long a start that finds the data in use is tried again: the last PostgreSQL on them may still be ending. */
const contentionMs = 10_000;
const longestLog = 1024 * 1024;
const contention = /lock file "postmaster.pid"|pre-existing shared memory block/;

export function createPostgresProcess(options: PostgresProcessOptions): PostgresProcess {
  const { dataDirectory } = options;
  let postmaster = 0;
  let logStart = 0;

  /** The PostgreSQL that has these data open, also one that another process started. */
  const runningPid = async (): Promise<number | undefined> => {
    const pid = await recordedPid(dataDirectory);
    return pid !== undefined && (await isPostmaster(pid, dataDirectory)) ? pid : undefined;
  };

  const ensureRunning = async (): Promise<void> => {
    const started = performance.now();
    const elapsed = () => performance.now() - started;
    while (!(await answers(options.databaseUrl))) {
      if (elapsed() > startTimeoutMs) throw await failure("no answer");
      if ((await runningPid()) !== undefined) {
        await delay(25);
        continue;
      }
      await dropForeignLocks(dataDirectory);
      const exitCode = await launch();
      if (exitCode === undefined) break;
      const isContention = contention.test(await logText());
      if (!isContention || elapsed() > contentionMs) throw await failure(`exit code ${exitCode}`);
      await delay(100);
    }
    postmaster = (await runningPid()) ?? postmaster;
  };

  /** Resolves `undefined` when the server answers, its exit code when it has ended before. */
  const launch = async (): Promise<number | null | undefined> => {
    const log = await openLog();
    try {
      const child = spawn(options.binary, ["-D", dataDirectory, ...flags(options.settings)], {
        ...options.account,
        cwd: dataDirectory,
        env: bareEnvironment,
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
      return exitCode;
    } finally {
      await log.close();
    }
  };

  const openLog = async (): Promise<FileHandle> => {
    const { uid, gid } = options.account;
    const log = await open(options.log, "a", 0o600);
    if (uid !== undefined && gid !== undefined) await log.chown(uid, gid);
    if ((await log.stat()).size > longestLog) await log.truncate();
    logStart = (await log.stat()).size;
    return log;
  };

  /** What has been said since the last start. */
  const logText = async (): Promise<string> => {
    const log = await readFile(options.log).catch(() => Buffer.alloc(0));
    return log.toString("utf8", logStart).trim();
  };

  const failure = async (received: string): Promise<ControlPlaneError> => {
    const lines = (await logText()).split("\n");
    return new ControlPlaneError(
      "postgres_failed",
      `embedded PostgreSQL: expected it to start, received ${received}. The end of ${options.log}:\n${lines.slice(-8).join("\n")}`,
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

/**
 * PostgreSQL deals with stale lock files itself, unless the number in one is by now another process's, or a zombie's:
 * where orphans are not reaped, as in many containers, the number of a killed PostgreSQL stays taken.
 */
async function dropForeignLocks(dataDirectory: string): Promise<void> {
  for (const file of [postmasterFile, `${socketName}.lock`]) {
    const pid = await recordedPid(dataDirectory, file);
    if (pid === undefined || !exists(pid) || (await isPostmaster(pid, dataDirectory))) continue;
    await rm(path.join(dataDirectory, file), { force: true });
  }
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

const run = promisify(execFile);

const postmasterFile = "postmaster.pid";

/** The process that a lock file in a data directory names; it may be gone, and its number may be another's by now. */
async function recordedPid(
  dataDirectory: string,
  file: string = postmasterFile,
): Promise<number | undefined> {
  const text = await readFile(path.join(dataDirectory, file), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/** Whether the process is a PostgreSQL on this data directory, as opposed to one that got the number of a dead one. */
async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  const command = await commandLine(pid);
  return command.includes("postgres") && command.includes(dataDirectory);
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ");
  }
  const { stdout } = await run("ps", ["-o", "args=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout;
}

const port = 5432;
const socketName: string = `.s.PGSQL.${port}`;

interface SocketAddress {
  /** A URL of the server, without a database. */
  readonly url: string;
  release(): Promise<void>;
}

/**
 * PostgreSQL listens on a socket in its own data directory, which only its owner (and root) can enter. The kernel takes
 * some hundred bytes of path to a socket; a data directory that is deeper gets a short alias.
 */
export async function socketAddress(dataDirectory: string, user: string): Promise<SocketAddress> {
  const url = (folder: string) => `postgres://${user}@${encodeURIComponent(folder)}:${port}`;
  if (Buffer.byteLength(path.join(dataDirectory, socketName)) <= 103) {
    return { url: url(dataDirectory), release: () => Promise.resolve() };
  }
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-"));
  const alias = path.join(folder, "pg");
  await symlink(dataDirectory, alias);
  return { url: url(alias), release: () => rm(folder, { recursive: true, force: true }) };
}
