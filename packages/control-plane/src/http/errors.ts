import type { ErrorRequestHandler, RequestHandler } from "express";
import { isUnavailable } from "../database/connection.ts";
import { Problem, sendProblem } from "./problem.ts";

/** Answers what no route has taken. */
export const notFound: RequestHandler = (request) => {
  throw new Problem(
    404,
    "route_unknown",
    `expected a path of the API, received ${request.method} ${request.path}`,
  );
};

/** Answers a path of the API that was asked with a method it does not have. */
export function allow(method: string): RequestHandler {
  return (request) => {
    throw new Problem(405, "method_not_allowed", `expected ${method}, received ${request.method}`, {
      headers: { allow: method },
    });
  };
}

/** Turns whatever was thrown into problem+json; what nobody foresaw is told to `onError` and to nobody else. */
export function errorHandler(onError: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const problem = problemOf(error);
    if (problem.status === 500) onError(error);
    sendProblem(response, problem);
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) {
    return new Problem(503, "database_unavailable", "The database cannot be reached. Try again.", {
      headers: { "retry-after": "1" },
    });
  }
  return bodyProblem(error) ?? new Problem(500, "internal", "The control plane failed. Its log says why.");
}

/** The errors of Express's own body parser and router. */
function bodyProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  const type = "type" in error ? error.type : undefined;
  if (type === "entity.too.large") {
    return new Problem(413, "body_too_large", "body: expected at most 1048576 bytes, received more");
  }
  if (type === "entity.parse.failed") {
    return new Problem(400, "malformed_json", `body: expected JSON, received: ${error.message}`);
  }
  if (error.status === 415) return new Problem(415, "unsupported_media_type", error.message);
  if (error.status === 400) return new Problem(400, "malformed_request", error.message);
  return undefined;
}
