import type { RequestListener } from "node:http";
import type { ApiKeyScope } from "@creditgate/admin";
import { endpoints } from "@creditgate/client";
import express from "express";
import { type AdminOptions, adminRoutes } from "../admin/routes.ts";
import { dashboardRoutes } from "../dashboard/routes.ts";
import type { Database, WriteFailures } from "../database/connection.ts";
import { authentication, createAuthenticate } from "../endpoint/authentication.ts";
import { endpointRoutes } from "../endpoint/endpoint-routes.ts";
import { createErrorAnswers, errorHandler, notFound } from "../endpoint/errors.ts";
import { createRateLimit, type RateLimitOptions, rateLimit } from "../endpoint/rate-limit.ts";
import { takeTurns } from "../endpoint/turns.ts";
import { createSpendingWatch } from "../gates/spending-watch.ts";
import { identify } from "../http/answer-identity.ts";
import { createAttempts } from "../http/attempts.ts";
import { jsonBody } from "../http/body.ts";
import { createByteBudget } from "../http/byte-budget.ts";
import { type ServedRequest, watchRequest } from "../http/served-request.ts";
import { createKeyRing } from "../keys/key-ring.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createTimeRequest, timeRequests } from "../metrics/request-duration.ts";
import { docsRoutes } from "../openapi/docs.ts";
import { agentHandlers } from "../routes/agents.ts";
import { customerHandlers } from "../routes/customers.ts";
import { heartbeatHandlers } from "../routes/gates.ts";
import { healthRoutes, type Readiness } from "../routes/health.ts";
import { homeRoutes } from "../routes/home.ts";
import { invoiceHandlers } from "../routes/invoices.ts";
import { orderHandlers } from "../routes/orders.ts";
import { operations, type PublicHandlers } from "../routes/table.ts";
import { usageEndpoints } from "../routes/usage.ts";
import { voiceHandlers } from "../routes/voice.ts";
import { walletHandlers } from "../routes/wallets.ts";
import { createUsageIntake, type UsageIntakeOptions } from "../usage/intake.ts";

interface AppOptions {
  /** Usage, and what all requests of organisations use: their database, the clock and their turns. */
  readonly usage: UsageIntakeOptions;
  /** For keys and health, which must not wait behind the requests of organisations. */
  readonly ownDatabase: Database;
  /** For administrators, whose lists and closings take longer. */
  readonly admin: Omit<
    AdminOptions,
    "ownDatabase" | "clock" | "keys" | "attempts" | "bodies" | "limit" | "rates"
  >;
  readonly limits: RateLimitOptions;
  readonly metrics: Metrics;
  /** What `/ready` and the answers know together. */
  readonly readiness: Readiness & { readonly writeFailures: WriteFailures };
  /** How many proxies stand in front, and each add to `X-Forwarded-For` who called them. */
  readonly trustedProxies: number;
  /** Where the pages are; `undefined` serves none. */
  readonly dashboardFolder: string | undefined;
  /** Whether browsers find it by https alone. */
  readonly isSecure: boolean;
  /** Called with unexpected errors, which the client does not see. */
  readonly onError: (error: unknown, requestId?: string) => void;
  /** Called with each request that has ended. */
  readonly onRequest?: ((served: ServedRequest) => void) | undefined;
}

const mebibyte = 1024 * 1024;

/** Parsed, a body takes up to twenty times as much memory. */
const bodyBytes = { total: 8 * mebibyte, each: 2 * mebibyte };

/** The HTTP side of the control plane: authentication, bodies, routes. */
export function createApp(options: AppOptions): RequestListener {
  const { usage, ownDatabase, limits, metrics, readiness, trustedProxies, isSecure } = options;
  const { onError, onRequest } = options;
  const { database, clock, share } = usage;
  const keys = createKeyRing(ownDatabase, clock);
  const attempts = createAttempts(clock);
  const bodies = createByteBudget(bodyBytes);
  const limit = createRateLimit(limits, clock);
  const authenticate = createAuthenticate({ keys, attempts, trustedProxies, take: limit.take });
  const errors = createErrorAnswers(onError, {
    writeFailures: readiness.writeFailures,
    refused: metrics.refusedRequests,
  });
  const intake = createUsageIntake(usage);
  const time = createTimeRequest(metrics.requestDuration);
  const spending = createSpendingWatch({ database, clock, onError });
  const takeUsage = usageEndpoints({ authenticate, limit, bodies, intake, spending, time, errors });
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", trustedProxies);
  app.use(healthRoutes(ownDatabase, readiness));
  app.use(timeRequests(time));
  const admit = (scope: ApiKeyScope | undefined) => [
    authentication(authenticate, scope, spending),
    rateLimit(limit),
  ];
  const handlers: PublicHandlers = {
    ...walletHandlers(database),
    ...customerHandlers(database),
    ...orderHandlers,
    ...invoiceHandlers(database, options.admin.periodSettings),
    ...agentHandlers(database),
    ...voiceHandlers(usage),
    ...heartbeatHandlers(database),
  };
  app.use(
    endpointRoutes({
      endpoints,
      table: operations,
      handlers,
      guards: ({ scope, maxBytes }) => [...admit(scope), jsonBody(bodies, maxBytes), takeTurns(share)],
      otherMethods: admit(undefined),
      database,
      clock,
    }),
  );
  app.use("/api", admit(undefined));
  app.use(homeRoutes(options.dashboardFolder));
  app.use(docsRoutes());
  app.use(dashboardRoutes(options.dashboardFolder));
  app.use(
    adminRoutes({
      ...options.admin,
      ownDatabase,
      clock,
      rates: limits.rates,
      keys,
      attempts,
      bodies,
      limit,
    }),
  );
  app.use(notFound);
  app.use(errorHandler(errors));
  return (request, response) => {
    if (onRequest !== undefined) watchRequest(request, response, trustedProxies, onRequest);
    if (takeUsage(request, response)) return;
    identify(request, response);
    if (isSecure) response.setHeader("strict-transport-security", "max-age=31536000");
    app(request, response);
  };
}
