import { Router } from "express";
import type { Database } from "../database/connection.ts";
import type { Attempts } from "../http/attempts.ts";
import { jsonBody } from "../http/body.ts";
import type { ByteBudget } from "../http/byte-budget.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import { adjustmentRoutes } from "./adjustments.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditRoutes } from "./audit.ts";
import { type AdminToken, adminAuthentication } from "./authentication.ts";
import { currencyRoutes } from "./currencies.ts";
import { customerAdminRoutes } from "./customers.ts";
import { organizationRoutes } from "./organizations.ts";
import { recordRoutes } from "./records.ts";
import { unbilledRoutes } from "./unbilled.ts";
import { walletAdminRoutes } from "./wallets.ts";

export interface AdminOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly attempts: Attempts;
  readonly bodies: ByteBudget;
  /** Without any the admin API is not served. */
  readonly adminTokens: readonly AdminToken[];
  /** For organisations that have no settings of their own. */
  readonly periodSettings: PeriodSettings;
}

/** What the spec leaves to the dashboard, behind credentials of its own. */
export function adminRoutes(options: AdminOptions): Router {
  const { database, clock, keys, attempts, bodies, adminTokens, periodSettings } = options;
  const router = Router();
  if (adminTokens.length === 0) return router;
  router.use("/admin/api", adminAuthentication(adminTokens, attempts), jsonBody(bodies, 256 * 1024));
  router.use(organizationRoutes(database, clock, periodSettings));
  router.use(apiKeyRoutes(database, clock, keys));
  router.use(currencyRoutes(database, clock));
  router.use(customerAdminRoutes(database, clock));
  router.use(walletAdminRoutes(database, clock));
  router.use(adjustmentRoutes(database, clock));
  router.use(recordRoutes(database, clock));
  router.use(unbilledRoutes(database));
  router.use(auditRoutes(database));
  return router;
}
