import express, { type Express, Router } from "express";
import type { Database } from "../database/connection.ts";
import { createErrorAnswers, errorHandler, notFound } from "../endpoint/errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { healthRoutes, type Readiness } from "../routes/health.ts";

interface OperationsAppOptions extends Readiness {
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

/** For Prometheus, without a key: all who can reach the port may read it. */
function metricsRoutes(metrics: Metrics): Router {
  const router = Router();

  router.get("/metrics", async (_request, response) => {
    const text = await metrics.render();
    response.set({ "cache-control": "no-store", "content-type": metrics.contentType }).send(text);
  });

  return router;
}
