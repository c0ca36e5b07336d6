import express, { type Express } from "express";
import type { Database } from "../database/connection.ts";
import { createErrorAnswers, errorHandler, notFound } from "../http/errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { healthRoutes, type Readiness } from "../routes/health.ts";
import { metricsRoutes } from "../routes/metrics.ts";

export interface OperationsAppOptions extends Readiness {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
}

/** What those who run the control plane look at, for a port that its customers cannot reach. */
export function createOperationsApp(options: OperationsAppOptions): Express {
  const { database, metrics, onError } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(healthRoutes(database, options));
  app.use(metricsRoutes(metrics));
  app.use(notFound);
  app.use(errorHandler(createErrorAnswers(onError)));
  return app;
}
