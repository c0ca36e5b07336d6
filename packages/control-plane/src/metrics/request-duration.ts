import type { IncomingMessage, ServerResponse } from "node:http";
import { adminEndpoints } from "@creditgate/admin";
import { endpoints } from "@creditgate/client";
import type { RequestHandler } from "express";
import type { Histogram } from "prom-client";

/** Only what we serve becomes a label: a client can ask for any path. */
const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const paths = [...Object.values(endpoints), ...Object.values(adminEndpoints)].map(({ path }) => path);
const fixed: ReadonlySet<string> = new Set(paths.filter((path) => !path.includes("{")));
const patterns = paths
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Notes how long a request takes, from now until its answer is handed to the network. */
export type TimeRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Times the requests of the API by route and status; those of other paths come together. */
export function createTimeRequest(duration: Histogram): TimeRequest {
  // A lookup by labels costs more than the observation.
  const known = new Map<string, ReturnType<Histogram["labels"]>>();

  return ({ method = "other", url = "" }, response) => {
    const start = performance.now();
    response.once("finish", () => {
      // It goes on for as long as it is read, which says nothing of the service.
      if (String(response.getHeader("content-type")).startsWith("text/event-stream")) return;
      const labels = {
        method: methods.has(method) ? method : "other",
        route: routeOf(url),
        status: String(response.statusCode),
      };
      const name = `${labels.method} ${labels.route} ${labels.status}`;
      const series = known.get(name) ?? duration.labels(labels);
      known.set(name, series);
      series.observe((performance.now() - start) / 1_000);
    });
  };
}

export function timeRequests(time: TimeRequest): RequestHandler {
  return (request, response, next) => {
    time(request, response);
    next();
  };
}

function routeOf(url: string): string {
  if (fixed.has(url)) return url;
  const [path = ""] = url.split("?", 1);
  if (fixed.has(path)) return path;
  return patterns.find(({ pattern }) => pattern.test(path))?.path ?? "other";
}
