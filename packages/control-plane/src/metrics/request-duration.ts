import type { IncomingMessage, ServerResponse } from "node:http";
import { endpoints } from "@creditgate/client";
import type { RequestHandler } from "express";
import type { Histogram } from "./exposition.ts";

/** Only what we serve becomes a label: anybody can ask for any path. */
const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const paths = Object.values(endpoints).map(({ path }) => path);
const fixed: ReadonlySet<string> = new Set(paths.filter((path) => !path.includes("{")));
const patterns = paths
  .filter((path) => path.includes("{"))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** Times the requests of the API by route and status; those of other paths come together. */
export function timeRequests(duration: Histogram): RequestHandler {
  return (request, response, next) => {
    timeRequest(duration, request, response);
    next();
  };
}

/** Times one request. */
export function timeRequest(
  duration: Histogram,
  { method = "other", url = "" }: IncomingMessage,
  response: ServerResponse,
): void {
  const start = performance.now();
  response.once("finish", () => {
    duration.observe((performance.now() - start) / 1_000, {
      method: methods.has(method) ? method : "other",
      route: routeOf(url),
      status: String(response.statusCode),
    });
  });
}

function routeOf(url: string): string {
  const [path = ""] = url.split("?", 1);
  if (fixed.has(path)) return path;
  return patterns.find(({ pattern }) => pattern.test(path))?.path ?? "other";
}
