import { Router } from "express";
import { contentType } from "../metrics/exposition.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** For Prometheus, without a key: all who can reach the port may read it. */
export function metricsRoutes(metrics: Metrics): Router {
  const router = Router();

  router.get("/metrics", async (_request, response) => {
    const text = await metrics.render();
    response.set({ "cache-control": "no-store", "content-type": contentType }).send(text);
  });

  return router;
}
