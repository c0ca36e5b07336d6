import express, { type Express } from "express";
import type { Database } from "./database/connection.ts";
import { errorHandler, notFound } from "./http/errors.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { healthRoutes } from "./routes/health.ts";
import { metricsRoutes } from "./routes/metrics.ts";

export interface OperationsAppOptions {
  readonly database: Database;
  readonly metrics: Metrics;
  /** Whether the process is being stopped. */
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** What those who run the control plane look at, for a port that its customers cannot reach. */
export function createOperationsApp(options: OperationsAppOptions): Express {
  const { database, metrics, isDraining, onError } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(healthRoutes(database, isDraining));
  app.use(metricsRoutes(metrics));
  app.use(notFound);
  app.use(errorHandler(onError));
  return app;
}
