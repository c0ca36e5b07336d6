import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";

const lock = 4_611_023_758n;
const title = "creditgate serve, process ";

/** The session that says whose the server is. The kernel ends it with its process, so it cannot be stale. */
export interface Ownership {
  /** Resolves when the session has ended, which is when PostgreSQL has. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

/** Becomes the one user of a running server, or returns which process is. */
export async function claim(databaseUrl: string, data: string): Promise<Ownership> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: databaseUrl,
    stream: () => socket,
    application_name: `${title}${process.pid}`,
    keepAlive: true,
  });
  const lost = new Promise<void>((resolve) => client.once("end", resolve));
  client.on("error", () => undefined);
  await client.connect();
  try {
    // A session outlives its killed process by a moment.
    const claimed = await until(1_000, async () => {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as claimed", [lock]);
      return rows[0]?.claimed === true;
    });
    if (!claimed) {
      const { rows } = await client.query(
        "select application_name from pg_stat_activity where application_name like $1 and pid <> pg_backend_pid() order by backend_start limit 1",
        [`${title}%`],
      );
      const holder = String(rows[0]?.application_name ?? "another process");
      throw new ControlPlaneError(
        "data_directory_in_use",
        `--data: ${data} is in use by ${holder}. Stop it, or use another --data; several servers on one database share a DATABASE_URL.`,
      );
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  // A script that has stopped all it started may end, though tests keep a PostgreSQL until their process is over.
  socket.unref();
  return {
    lost,
    release() {
      socket.ref();
      return client.end();
    },
  };
}

/** Asks every 25 ms; resolves whether the condition came true within the time. */
export async function until(timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(25);
  }
  return true;
}
