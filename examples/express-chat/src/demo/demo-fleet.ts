import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@creditgate/control-plane";
import { initPostgresStore, operatePostgresOutbox } from "@creditgate/postgres";
import pg from "pg";

/** The PostgreSQL that the control plane and the processes of our side share. */
export class DemoFleet {
  readonly databaseUrl: string;
  readonly schema: string;
  readonly #postgres: EmbeddedPostgres | undefined;
  readonly #sql: pg.Pool;

  private constructor(databaseUrl: string, schema: string, postgres: EmbeddedPostgres | undefined) {
    this.databaseUrl = databaseUrl;
    this.schema = schema;
    this.#postgres = postgres;
    this.#sql = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    this.#sql.on("error", () => {});
  }

  /** On the PostgreSQL of `DATABASE_URL`, else on the one that npm has brought, in this folder. */
  static async open(folder: string, id: string): Promise<DemoFleet> {
    const given = process.env.DATABASE_URL || undefined;
    const postgres =
      given === undefined ? await startEmbeddedPostgres({ data: path.join(folder, "data") }) : undefined;
    const fleet = new DemoFleet(given ?? postgres?.databaseUrl ?? "", `creditgate_demo_${id}`, postgres);
    // As `creditgate postgres init` does: no process of before can have credits in it.
    await initPostgresStore({ sql: fleet.#sql, schema: fleet.schema });
    return fleet;
  }

  /** Resolves when this many reports of the customer wait in the outboxes: a crash cannot lose them any more. */
  async waiting(customerId: string, reports: number, signal: AbortSignal): Promise<void> {
    const outbox = operatePostgresOutbox({ sql: this.#sql, schema: this.schema });
    for (;;) {
      const items = await outbox.list();
      const waiting = items.filter((item) => item.customerId === customerId && item.state === "queued");
      if (waiting.length >= reports) return;
      await delay(20, undefined, { signal });
    }
  }

  /** After all that use it. */
  async close(): Promise<void> {
    await this.#sql.query(`drop schema if exists ${this.schema} cascade`).catch(() => {});
    await this.#sql.end();
    await this.#postgres?.stop();
  }
}
