import express, { type Express, Router } from "express";
import { createUsageIntake, type UsageIntakeOptions } from "./billing/usage-intake.ts";
import { authentication } from "./http/authentication.ts";
import { jsonBody, jsonOnly } from "./http/body.ts";
import { errorHandler, notFound } from "./http/errors.ts";
import { createKeyRing } from "./http/key-ring.ts";
import { rateLimit } from "./http/rate-limit.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { timeRequests } from "./metrics/request-duration.ts";
import { type AdminOptions, adminRoutes } from "./routes/admin/admin-routes.ts";
import { agentRoutes } from "./routes/agents.ts";
import { customerRoutes } from "./routes/customers.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { invoiceRoutes } from "./routes/invoices.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { orderRoutes } from "./routes/orders.ts";
import { usageRoutes } from "./routes/usage.ts";
import { voiceRoutes } from "./routes/voice.ts";
import { walletRoutes } from "./routes/wallets.ts";

export interface AppOptions extends UsageIntakeOptions, Omit<AdminOptions, "keys"> {
  readonly metrics: Metrics;
  /** Whether they can be read here, by everybody who can reach the API. */
  readonly servesMetrics: boolean;
  /** Requests per second for each API key; 0 is no limit. */
  readonly rateLimitPerSecond: number;
  /** Told what the control plane did not foresee; the client learns nothing of it. */
  readonly onError: (error: unknown) => void;
}

/** The HTTP side of the control plane: who is it, what do they say, which route. */
export function createApp(options: AppOptions): Express {
  const { database, clock, metrics, rateLimitPerSecond, onError } = options;
  const keys = createKeyRing(database, clock);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(healthRoutes(database));
  if (options.servesMetrics) app.use(metricsRoutes(metrics));
  app.use(timeRequests(metrics.requestDuration));
  const guards = Router();
  guards.use(authentication(keys));
  if (rateLimitPerSecond > 0) guards.use(rateLimit(rateLimitPerSecond, clock));
  guards.use(jsonOnly, jsonBody);
  app.use("/api", guards);
  // Routes are tried in order, and usage comes most.
  app.use(usageRoutes(createUsageIntake(options)));
  app.use(walletRoutes(database, clock));
  app.use(customerRoutes(database, clock));
  app.use(orderRoutes(database, clock));
  app.use(invoiceRoutes(database, clock));
  app.use(agentRoutes(database, clock));
  app.use(voiceRoutes(options));
  app.use(docsRoutes());
  app.use(adminRoutes({ ...options, keys }));
  app.use(notFound);
  app.use(errorHandler(onError));
  return app;
}
