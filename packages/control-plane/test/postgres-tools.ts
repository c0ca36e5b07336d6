import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { postgresAccount } from "../src/database/embedded/account.ts";
import { usePostgres } from "../src/testing/index.ts";

/** A PostgreSQL that can be dumped and restored with the tools that are installed. */
export interface DumpablePostgres {
  /** The URL of a database from which others can be created. */
  readonly databaseUrl: string;
  /** Runs `pg_dump` or `pg_restore`. Rejects where it fails, or has something to say. */
  run(tool: "pg_dump" | "pg_restore", ...args: string[]): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Where Debian keeps each version, and what the path finds. */
async function folders(): Promise<readonly string[]> {
  const debian = "/usr/lib/postgresql";
  const versions = await readdir(debian).catch(() => []);
  const named = process.env.PATH?.split(path.delimiter) ?? [];
  return [...versions.map((version) => path.join(debian, version, "bin")), ...named];
}

interface Tools {
  readonly folder: string;
  /** The major version. */
  readonly version: number;
}

async function newestTools(): Promise<Tools | undefined> {
  const found: Tools[] = [];
  for (const folder of await folders()) {
    const file = path.join(folder, "pg_dump");
    if (!(await stat(file).catch(() => undefined))?.isFile()) continue;
    const { stdout } = await run(file, ["--version"]);
    found.push({ folder, version: Number(/ (\d+)/.exec(stdout)?.[1] ?? "0") });
  }
  return found.toSorted((a, b) => b.version - a.version)[0];
}

/**
 * The PostgreSQL of the test run where the tools are as new as it is, since older ones refuse it, else one of their own
 * version. npm brings no tools: `undefined` where there are none; in CI they must be there.
 */
export async function dumpablePostgres(): Promise<DumpablePostgres | undefined> {
  const tools = await newestTools();
  if (tools === undefined) {
    const why = "pg_dump is missing: apt-get install -y postgresql";
    if (process.env.CI === "true") throw new Error(why);
    console.warn(`the test of backups is left out: ${why}`);
    return undefined;
  }
  const shared = await usePostgres();
  const isNewEnough = tools.version >= (await versionOf(shared.databaseUrl));
  const server = isNewEnough
    ? { databaseUrl: shared.databaseUrl, stop: () => Promise.resolve() }
    : await startServer(tools);
  return {
    ...server,
    async run(tool, ...args) {
      const { stderr } = await run(path.join(tools.folder, tool), args);
      if (stderr !== "") throw new Error(`${tool}: ${stderr}`);
    },
  };
}

async function versionOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    );
    return Math.floor(Number(rows[0]?.version) / 10_000);
  } finally {
    await client.end();
  }
}

/** A cluster for one test, reached by a socket of its folder. It need not survive a power cut. */
async function startServer({ folder: bin }: Tools): Promise<Pick<DumpablePostgres, "databaseUrl" | "stop">> {
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-dump-"));
  const account = await postgresAccount(folder);
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid);
  const data = path.join(folder, "data");
  const options = { ...account, cwd: folder };
  await run(path.join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], options);
  const settings = ["fsync=off", "listen_addresses=", `unix_socket_directories=${folder}`];
  const server = spawn(
    path.join(bin, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = once(server, "exit");
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    void ended.then(() => reject(new Error(`postgres ended: ${log}`)));
  });
  return {
    databaseUrl: `postgres://postgres@${encodeURIComponent(folder)}/postgres`,
    async stop() {
      server.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
