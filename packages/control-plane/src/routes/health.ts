import { Router } from "express";
import { sql } from "kysely";
import type { Database, WriteFailures } from "../database/connection.ts";
import { migrations } from "../database/migrate.ts";
import { errorCode } from "../errors/control-plane-error.ts";
import { sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";

export interface Readiness {
  /** Whether the process is being stopped. */
  readonly isDraining: () => boolean;
  /** What requests have met; a process without an API has none. */
  readonly writeFailures?: Pick<WriteFailures, "recent">;
}

/**
 * For the orchestrator, without a key: `/health` is about the process; `/ready` about whether to send
 * it requests: it is not being stopped, and its database can be written to, has been a moment ago, and has its schema.
 */
export function healthRoutes(database: Database, { isDraining, writeFailures }: Readiness): Router {
  const router = Router();

  router.get("/health", (_request, response) => sendJson(response, 200, { status: "ok" }));

  router.get("/ready", async (_request, response) => {
    if (isDraining())
      throw notReady("process: expected one that goes on running, received one that is being stopped");
    if (await isReadOnly(database))
      throw notReady("database: expected one to write to, received one to read from only");
    const failure = writeFailures?.recent();
    if (failure !== undefined)
      throw notReady(`database: expected one to write to, received one that cannot: ${failure}`);
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

/** Asks for what writes need, and locks no row: a server that can only be read from refuses, after a failover too. */
async function isReadOnly(database: Database): Promise<boolean> {
  try {
    await database.selectFrom("api_keys").select("key_id").where(sql<boolean>`false`).forUpdate().execute();
    return false;
  } catch (error) {
    if (errorCode(error) === "25006") return true;
    throw error;
  }
}

async function missingMigrations(database: Database): Promise<number[]> {
  const rows = await database.selectFrom("creditgate_migrations").select("version").execute();
  const applied = new Set(rows.map(({ version }) => version));
  return migrations.map(({ version }) => version).filter((version) => !applied.has(version));
}
