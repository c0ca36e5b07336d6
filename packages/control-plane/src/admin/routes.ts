import { adminEndpoints } from "@creditgate/client/admin";
import { Router } from "express";
import type { Database } from "../database/connection.ts";
import type { Attempts } from "../http/attempts.ts";
import { jsonBody } from "../http/body.ts";
import type { ByteBudget } from "../http/byte-budget.ts";
import { endpointRoutes } from "../http/endpoint-routes.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import type { UrlRule } from "../webhooks/post.ts";
import { adjustmentHandlers } from "./adjustments.ts";
import { agentHandlers } from "./agents.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { auditHandlers } from "./audit.ts";
import { type AdminToken, adminAuthentication } from "./authentication.ts";
import { creditNoteHandlers } from "./credit-notes.ts";
import { currencyHandlers } from "./currencies.ts";
import { customerHandlers } from "./customers.ts";
import { failureHandlers } from "./failures.ts";
import { indicatorHandlers } from "./indicators.ts";
import { invoiceHandlers } from "./invoices.ts";
import { ledgerHandlers } from "./ledger.ts";
import { orderHandlers } from "./orders.ts";
import { organizationHandlers } from "./organizations.ts";
import { findOrganization } from "./scope.ts";
import { type AdminHandlers, adminTable } from "./table.ts";
import { unbilledHandlers } from "./unbilled.ts";
import { usageHandlers } from "./usage.ts";
import { usageCsvHandlers } from "./usage-csv.ts";
import { usageSumsHandlers } from "./usage-sums.ts";
import { voiceSessionHandlers } from "./voice-sessions.ts";
import { walletHandlers } from "./wallets.ts";
import { webhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { webhookHandlers } from "./webhooks.ts";

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
  /** Told when usage is due that an administrator has billed, or taken up again. */
  readonly onAccepted: (dueAt: Date) => void;
  /** Where webhooks may go. */
  readonly webhookUrls: UrlRule;
}

/** What the spec leaves to the dashboard, behind credentials of its own. */
export function adminRoutes(options: AdminOptions): Router {
  const { database, clock, keys, attempts, bodies, adminTokens, periodSettings, webhookUrls, onAccepted } =
    options;
  const router = Router();
  if (adminTokens.length === 0) return router;
  router.use("/admin/api", adminAuthentication(adminTokens, attempts), jsonBody(bodies, maxBytes));
  const { walletEnsure: _, ...endpoints } = adminEndpoints;
  const handlers: AdminHandlers = {
    ...organizationHandlers(database, periodSettings),
    ...apiKeyHandlers(database, keys),
    ...agentHandlers(database),
    ...indicatorHandlers(database),
    ...currencyHandlers(database),
    ...customerHandlers(database),
    ...walletHandlers(database),
    ...adjustmentHandlers,
    ...usageHandlers(database),
    ...usageCsvHandlers(database),
    ...usageSumsHandlers(database),
    ...ledgerHandlers(database),
    ...orderHandlers(database),
    ...invoiceHandlers(database),
    ...creditNoteHandlers(database),
    ...failureHandlers(database),
    ...unbilledHandlers(database, onAccepted),
    ...voiceSessionHandlers(database, onAccepted),
    ...auditHandlers(database),
    ...webhookHandlers(database, webhookUrls),
    ...webhookDeliveryHandlers(database),
  };
  const guards = () => [findOrganization(database)];
  const table = adminTable;
  router.use(endpointRoutes({ endpoints, table, handlers, guards, otherMethods: [], database, clock }));
  return router;
}

/** Prices name many models. */
const maxBytes = 256 * 1024;
