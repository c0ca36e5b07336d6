import { Router } from "express";
import type { Database } from "../database/connection.ts";
import { migrations } from "../database/migrate.ts";
import { sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";

/**
 * For whoever keeps the process running, without a key: `/health` is about the process, `/ready` about the database and
 * its schema too.
 */
export function healthRoutes(database: Database): Router {
  const router = Router();

  router.get("/health", (_request, response) => sendJson(response, 200, { status: "ok" }));

  router.get("/ready", async (_request, response) => {
    const missing = await missingMigrations(database);
    if (missing.length > 0) {
      throw new Problem(
        503,
        "not_ready",
        `database: expected schema versions ${missing.join(", ")}, received none`,
        { headers: { "retry-after": "1" } },
      );
    }
    sendJson(response, 200, { status: "ready" });
  });

  return router;
}

async function missingMigrations(database: Database): Promise<number[]> {
  const rows = await database.selectFrom("creditgate_migrations").select("version").execute();
  const applied = new Set(rows.map(({ version }) => version));
  return migrations.map(({ version }) => version).filter((version) => !applied.has(version));
}
