import { adminEndpoints } from "@creditgate/admin";
import { type RequestHandler, Router } from "express";
import type { Database } from "../database/connection.ts";
import { createFairShare } from "../database/fair-share.ts";
import { endpointRoutes } from "../endpoint/endpoint-routes.ts";
import { limitAdministrators, type RateLimit } from "../endpoint/rate-limit.ts";
import { takeTurns } from "../endpoint/turns.ts";
import type { Attempts } from "../http/attempts.ts";
import { jsonBody } from "../http/body.ts";
import { type ByteBudget, createByteBudget } from "../http/byte-budget.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { Rates } from "../limits/limits.ts";
import type { People } from "../people/people.ts";
import { createRefusedSignIns } from "../people/refused-sign-ins.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import type { UrlRule } from "../webhooks/post.ts";
import { adjustmentHandlers } from "./adjustments.ts";
import { createAdmit } from "./admission.ts";
import { agentHandlers } from "./agents.ts";
import { allowanceHandlers } from "./allowances.ts";
import { apiKeyHandlers } from "./api-keys.ts";
import { attentionHandlers } from "./attention.ts";
import { auditHandlers } from "./audit.ts";
import type { AdminToken } from "./authentication.ts";
import { booksHandlers } from "./books.ts";
import { budgetHandlers } from "./budgets.ts";
import { creditNoteHandlers } from "./credit-notes.ts";
import { csvHandlers } from "./csv-files.ts";
import { currencyHandlers } from "./currencies.ts";
import { customerHandlers } from "./customers.ts";
import { failureHandlers } from "./failures.ts";
import { gateHandlers } from "./gates.ts";
import { grantHandlers } from "./grants.ts";
import { indicatorHandlers } from "./indicators.ts";
import { invitationHandlers } from "./invitations.ts";
import { invoiceHandlers } from "./invoices.ts";
import { issuerHandlers } from "./issuers.ts";
import { ledgerHandlers } from "./ledger.ts";
import { limitHandlers } from "./limits.ts";
import { linkHandlers } from "./links.ts";
import { memberHandlers } from "./members.ts";
import { oidcHandlers } from "./oidc.ts";
import { orderHandlers } from "./orders.ts";
import { organizationHandlers } from "./organizations.ts";
import { ownAccountHandlers } from "./own-account.ts";
import { printHandlers } from "./prints.ts";
import { settlementHandlers } from "./settlement.ts";
import { signInHandlers } from "./sign-in.ts";
import { createStreams } from "./streams.ts";
import { type AdminHandlers, type AdminServed, adminTable, isRole } from "./table.ts";
import { unbilledHandlers } from "./unbilled.ts";
import { usageHandlers } from "./usage.ts";
import { usageCostHandlers } from "./usage-cost.ts";
import { usageFeedHandlers } from "./usage-feed.ts";
import { usageSeriesHandlers } from "./usage-series.ts";
import { usageSumsHandlers } from "./usage-sums.ts";
import { userHandlers } from "./users.ts";
import { voiceSessionHandlers } from "./voice-sessions.ts";
import { walletHandlers } from "./wallets.ts";
import { webhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { webhookHandlers } from "./webhooks.ts";

export interface AdminOptions {
  readonly database: Database;
  /** For who asks, which must not wait behind lists. */
  readonly ownDatabase: Database;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly attempts: Attempts;
  readonly bodies: ByteBudget;
  readonly limit: RateLimit;
  /** Of organisations that have none of their own. */
  readonly rates: Rates;
  /** Of operators. */
  readonly adminTokens: readonly AdminToken[];
  /** What it takes for people to sign in, and whether they can; without it, and without tokens, the admin API is not served. */
  readonly people: People;
  readonly canSignIn: boolean;
  /** Logs one line: why an identity provider signs no one in, failed sign-ins. */
  readonly onNotice: (line: string) => void;
  /** For organisations that have no settings of their own. */
  readonly periodSettings: PeriodSettings;
  /** Called when usage is due that an administrator has billed, or taken up again. */
  readonly onAccepted: (dueAt: Date) => void;
  /** Fires when the server stops: feeds end. */
  readonly stopping: AbortSignal;
  /** Where webhooks may go. */
  readonly webhookUrls: UrlRule;
}

/** What the spec leaves to the dashboard, behind credentials of its own. */
export function adminRoutes(options: AdminOptions): Router {
  const { database, ownDatabase, clock, keys, attempts, bodies, adminTokens, periodSettings } = options;
  const { people, canSignIn, webhookUrls, onAccepted, onNotice, limit, rates, stopping } = options;
  const router = Router();
  if (adminTokens.length === 0 && !canSignIn) return router;
  const site = canSignIn ? people.site : undefined;
  const admit = createAdmit({ adminTokens, attempts, limit, database: ownDatabase, clock, site });
  router.use("/admin/api", harden);
  const share = createFairShare(shareOfOrganization);
  const handlers: AdminHandlers = {
    ...organizationHandlers(database, periodSettings),
    ...limitHandlers(database, keys, rates),
    ...apiKeyHandlers(database, keys),
    ...agentHandlers(database),
    ...indicatorHandlers(database),
    ...usageCostHandlers(database),
    ...currencyHandlers(database),
    ...customerHandlers(database),
    ...walletHandlers(database),
    ...budgetHandlers(database, periodSettings),
    ...grantHandlers(database),
    ...allowanceHandlers(database, periodSettings),
    ...adjustmentHandlers,
    ...usageHandlers(database),
    ...booksHandlers,
    ...csvHandlers({ share, exports: createStreams("exports", mostExports) }),
    ...usageFeedHandlers({ database, clock, share, streams: createStreams("feeds", mostFeeds) }),
    ...usageSumsHandlers,
    ...usageSeriesHandlers(database, clock),
    ...settlementHandlers(database),
    ...attentionHandlers(database),
    ...ledgerHandlers,
    ...orderHandlers(database, periodSettings),
    ...invoiceHandlers(database, periodSettings),
    ...creditNoteHandlers,
    ...issuerHandlers(database, periodSettings),
    ...printHandlers(database),
    ...failureHandlers(database),
    ...unbilledHandlers(database, onAccepted),
    ...voiceSessionHandlers(database, onAccepted),
    ...gateHandlers(database),
    ...auditHandlers,
    ...webhookHandlers(database, webhookUrls),
    ...webhookDeliveryHandlers(database),
    ...signInHandlers(database, people, createRefusedSignIns(database, clock, onNotice)),
    ...oidcHandlers(database, people, onNotice),
    ...linkHandlers(database, people),
    ...ownAccountHandlers(database, people),
    ...memberHandlers(database),
    ...invitationHandlers(database, people),
    ...userHandlers(database, people.site),
  };
  // Anyone may send these: they take nothing of what organisations have.
  const strangers = createByteBudget({ total: 2_048 * mostOfStrangers, each: 16 * mostOfStrangers });
  const turns = takeTurns(share);
  const guards = (served: AdminServed) => [
    admit(served),
    limitAdministrators(limit),
    served.scope === "anyone" ? jsonBody(strangers, mostOfStrangers) : jsonBody(bodies, maxBytes),
    // A file takes a turn for each of its parts: its reader may be slow.
    ...(isRole(served.scope) && served.isFile !== true ? [turns] : []),
  ];
  const otherMethods = [admit({ scope: "user" })];
  const serving = { endpoints: adminEndpoints, table: adminTable, handlers, guards, otherMethods };
  router.use(endpointRoutes({ ...serving, database, clock, stopping }));
  // Only signed-in users learn that a path does not exist.
  router.use("/admin/api", admit({ scope: "user" }));
  return router;
}

/** What is answered is for the page that asked: no other site embeds it, and no browser takes it for another type. */
const harden: RequestHandler = (_request, response, next) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("referrer-policy", "no-referrer");
  next();
};

/** Of the connections for administrators, which settle as well, those that one organisation may use at once. */
const shareOfOrganization = { slots: 2, maxWaiting: 200, waitMs: 30_000 };

/** Each asks the database twice a second. */
const mostFeeds = { perOrganization: 10, total: 50 };

/** Each waits for its reader, who may be slow on purpose. */
const mostExports = { perOrganization: 10, total: 100 };

/** Prices name many models. */
const maxBytes = 256 * 1024;

/** The token of a link, an e-mail, a name and a password. */
const mostOfStrangers = 4 * 1024;
