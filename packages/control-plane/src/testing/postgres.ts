import { spawn } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "../database/embedded/embedded-postgres.ts";

/** A PostgreSQL for tests, in which every control plane gets a database of its own. */
export interface TestPostgres {
  /** The URL of a database from which others can be created. */
  readonly databaseUrl: string;
  /** Stops what was started; a PostgreSQL that was there before is left alone. */
  stop(): Promise<void>;
}

/** How the processes of a test run tell each other where the PostgreSQL is. */
const variable = "CREDITGATE_TEST_DATABASE_URL";
const registry: unique symbol = Symbol.for("@creditgate/control-plane/testing/postgres");

/**
 * The PostgreSQL of the test run: the one of `DATABASE_URL`, or the one that this run has started, or a new embedded
 * one. It is started once per run if a vitest `globalSetup` calls this, else once per process. Rejects if there is none.
 */
export function usePostgres(): Promise<TestPostgres> {
  const known = process.env.DATABASE_URL || process.env[variable];
  if (known !== undefined) return Promise.resolve({ databaseUrl: known, stop: () => Promise.resolve() });
  // Test runners evaluate a module more than once per process.
  const shared: typeof globalThis & { [registry]?: Promise<TestPostgres> } = globalThis;
  shared[registry] ??= startTemporary();
  return shared[registry];
}

async function startTemporary(): Promise<TestPostgres> {
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-test-"));
  // Before there is anything to clear away: a start takes seconds, in which someone may press Ctrl-C.
  const watchdog = watch(data);
  await chmod(data, 0o755);
  const postgres = await startEmbeddedPostgres({
    data,
    // Tests do not outlive a power cut.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
  }).catch((error: unknown) => {
    watchdog();
    throw error;
  });
  process.env[variable] = postgres.databaseUrl;
  return {
    databaseUrl: postgres.databaseUrl,
    async stop() {
      delete process.env[variable];
      await postgres.stop();
      watchdog();
    },
  };
}

/** Whatever ends the tests, be it kill -9, nothing is left behind: the shell's input closes with this process. */
function watch(data: string): () => void {
  const script = `cat
    pid=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid"
    while kill -0 "$pid"; do sleep 0.1; done
    for attempt in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && break; sleep 0.3; done`;
  const shell = spawn("/bin/sh", ["-c", script, "sh", data], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  const { stdin } = shell;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return () => stdin.end();
}
