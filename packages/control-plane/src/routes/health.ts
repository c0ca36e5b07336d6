import { Router } from "express";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { migrations } from "../database/migrate.ts";
import { sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";

/**
 * For whoever keeps the process running, without a key: `/health` is about the process; `/ready` about whether to send
 * it requests: it is not being stopped, and its database can be written to and has its schema.
 */
export function healthRoutes(database: Database, isDraining: () => boolean): Router {
  const router = Router();

  router.get("/health", (_request, response) => sendJson(response, 200, { status: "ok" }));

  router.get("/ready", async (_request, response) => {
    if (isDraining())
      throw notReady("process: expected one that goes on running, received one that is being stopped");
    if (await isReadOnly(database))
      throw notReady("database: expected one to write to, received one to read from only");
    const missing = await missingMigrations(database);
    if (missing.length > 0) {
      throw notReady(`database: expected schema versions ${missing.join(", ")}, received none`);
    }
    sendJson(response, 200, { status: "ready" });
  });

  return router;
}

function notReady(detail: string): Problem {
  return new Problem(503, "not_ready", detail, { headers: { "retry-after": "1" } });
}

/** True of a standby, as after a failover, and of a primary that is set so. */
async function isReadOnly(database: Database): Promise<boolean> {
  const { rows } = await sql<{ setting: string }>`
    select current_setting('transaction_read_only') as setting`.execute(database);
  return rows[0]?.setting !== "off";
}

async function missingMigrations(database: Database): Promise<number[]> {
  const rows = await database.selectFrom("creditgate_migrations").select("version").execute();
  const applied = new Set(rows.map(({ version }) => version));
  return migrations.map(({ version }) => version).filter((version) => !applied.has(version));
}
