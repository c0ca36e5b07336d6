import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import pg from "pg";

/** The PostgreSQL that is measured, past the control plane. */
export interface Postgres {
  /** The address of one of its databases. */
  urlOf(name: string): string;
  query(text: string): Promise<void>;
  /** What all of it has spent so far. */
  spent(): Promise<Spent>;
  /** What lies between two readings, for each report. */
  cost(from: Spent, to: Spent, reports: number): Promise<Cost>;
  close(): Promise<void>;
}

export interface Spent {
  readonly cpuUs: number;
  readonly lsn: string;
}

/** What was spent between two readings, for each report. */
export interface Cost {
  readonly cpuUs: number;
  /** Of records, without the images of full pages. */
  readonly walBytes: number;
  readonly imageBytes: number;
}

/** What `/proc` counts in. */
const tickUs = 10_000;

export async function openPostgres(databaseUrl: string): Promise<Postgres> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("create extension if not exists pg_walinspect");
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const { parent: postmaster } = await readProcess(rows[0]?.pid ?? 0);

  return {
    urlOf(name) {
      const url = new URL(databaseUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    async query(text) {
      await client.query(text);
    },
    async spent() {
      const { rows } = await client.query<{ lsn: string }>("select pg_current_wal_flush_lsn() as lsn");
      // What ends meanwhile would be in neither reading, or in both: it is read until it stands still.
      for (let last = -1; ; await setTimeout(50)) {
        const cpuUs = await cpuOf(postmaster);
        if (cpuUs === last) return { cpuUs, lsn: rows[0]?.lsn ?? "" };
        last = cpuUs;
      }
    },
    async cost(from, to, reports) {
      const { rows } = await client.query<{ records: string; images: string }>(
        "select sum(record_size) as records, sum(fpi_size) as images from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)",
        [from.lsn, to.lsn],
      );
      return {
        cpuUs: (to.cpuUs - from.cpuUs) / reports,
        walBytes: Number(rows[0]?.records) / reports,
        imageBytes: Number(rows[0]?.images) / reports,
      };
    },
    close: () => client.end(),
  };
}

interface ProcessReading {
  readonly parent: number;
  readonly ticks: number;
  /** Of its children that have ended. */
  readonly endedTicks: number;
}

/** Of a server with all its processes, those that have ended included. */
async function cpuOf(postmaster: number): Promise<number> {
  const { ticks, endedTicks } = await readProcess(postmaster);
  let sum = ticks + endedTicks;
  for (const name of await readdir("/proc")) {
    // It may end while it is read.
    const child = /^\d+$/.test(name) ? await readProcess(Number(name)).catch(() => undefined) : undefined;
    if (child?.parent === postmaster) sum += child.ticks;
  }
  return sum * tickUs;
}

async function readProcess(pid: number): Promise<ProcessReading> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name before may have blanks in it.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (index: number) => fields[index] ?? 0;
  return { parent: at(1), ticks: at(11) + at(12), endedTicks: at(13) + at(14) };
}
