import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const found = [
  "/usr/sbin/pgbouncer",
  "/usr/bin/pgbouncer",
  "/usr/local/bin/pgbouncer",
  "/opt/homebrew/bin/pgbouncer",
];
const executable = process.env.PGBOUNCER ?? found.find((path) => existsSync(path)) ?? "pgbouncer";
const missing = spawnSync(executable, ["--version"]).error !== undefined;

/** npm brings no PgBouncer. CI has one and must use it; elsewhere its absence is said and keeps from nothing else. */
export const pgbouncerMissing: boolean = missing && process.env.CI !== "true";
if (pgbouncerMissing) {
  console.warn(
    `${executable} is missing, so the tests through PgBouncer are left out; PGBOUNCER may name one`,
  );
}

export interface Pgbouncer {
  /** The database, through PgBouncer in transaction mode. */
  readonly url: string;
  /** Leads to another server from now on, as an operator does who has promoted it. */
  moveTo(databaseUrl: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * `parameters` are what a client may send at its start beyond what PgBouncer knows; they are not passed on. All clients
 * share `poolSize` connections.
 */
export async function startPgbouncer(
  databaseUrl: string,
  parameters: readonly string[] = [],
  poolSize = 2,
): Promise<Pgbouncer> {
  if (missing)
    throw new Error(`${executable} is missing: apt-get install -y pgbouncer, or set PGBOUNCER to its path`);
  const host = decodeURIComponent(new URL(databaseUrl).hostname);
  const database = new URL(databaseUrl).pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), "creditgate-bouncer-"));
  const configure = (url: string) =>
    writeFile(
      join(folder, "pgbouncer.ini"),
      `[databases]
${database} = ${targetOf(url)}
[pgbouncer]
pool_mode = transaction
default_pool_size = ${poolSize}
auth_type = any
listen_addr =
listen_port = 6432
unix_socket_dir = ${folder}
ignore_startup_parameters = ${["extra_float_digits", ...parameters].join()}
server_login_retry = 1
`,
    );
  await configure(databaseUrl);
  const account = await accountFor(host);
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid);
  await chmod(folder, 0o755);
  const child = spawn(executable, [join(folder, "pgbouncer.ini")], {
    ...account,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await listening(child);
  return {
    url: `postgres://any@${encodeURIComponent(folder)}:6432/${database}`,
    async moveTo(url) {
      await configure(url);
      child.kill("SIGHUP");
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A server, in the words of PgBouncer. */
function targetOf(databaseUrl: string): string {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const secret = password === "" ? "" : ` password=${decodeURIComponent(password)}`;
  return `host=${decodeURIComponent(hostname)} port=${port || 5432} user=${decodeURIComponent(username)}${secret}`;
}

/** PgBouncer refuses to run as root; the directory of a socket may be closed to all but its owner. */
async function accountFor(host: string): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  if (!host.startsWith("/")) return { uid: 65_534, gid: 65_534 };
  const { uid, gid } = await stat(host);
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("process up")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`pgbouncer: exit code ${code}: ${log}`)));
  });
}
