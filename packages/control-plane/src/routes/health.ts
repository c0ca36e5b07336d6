import { Router } from "express";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { sendJson } from "../http/json.ts";

/** For whoever keeps the process running: `/health` is about the process, `/ready` about the database too. */
export function healthRoutes(database: Database): Router {
  const router = Router();

  router.get("/health", (_request, response) => sendJson(response, 200, { status: "ok" }));

  router.get("/ready", async (_request, response) => {
    await sql`select 1`.execute(database);
    sendJson(response, 200, { status: "ready" });
  });

  return router;
}
