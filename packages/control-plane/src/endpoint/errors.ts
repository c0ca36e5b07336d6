import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorRequestHandler, RequestHandler } from "express";
import type { Counter } from "prom-client";
import { isUnavailable, type WriteFailures } from "../database/connection.ts";
import { BusyError } from "../database/fair-share.ts";
import { requestIdOf } from "../http/answer-identity.ts";
import { Problem, sendProblem } from "../http/problem.ts";

/** Answers what no route has taken. */
export const notFound: RequestHandler = (request) => {
  throw new Problem(
    404,
    "route_unknown",
    `expected a path of the API, received ${request.method} ${request.path}`,
  );
};

/**
 * How long refusals of a client that asks too often are held back, in milliseconds. A client that asks again at each answer, on
 * many connections, is held to a few requests per second on each; the times differ, so that these do not come all at once.
 */
const holdBack = { from: 200, step: 10, steps: 10 };

/** What is done with errors. */
export interface ErrorAnswers {
  /** The problem for an error of a request. An unexpected error goes to `onError`, and to no client. */
  problemOf(error: unknown, request: IncomingMessage): Problem;
  /** Answers a request that has failed. */
  send(error: unknown, request: IncomingMessage, response: ServerResponse): void;
}

export interface ErrorCounts {
  readonly writeFailures?: WriteFailures;
  readonly refused?: Counter;
}

export function createErrorAnswers(
  onError: (error: unknown, requestId: string) => void,
  { writeFailures, refused }: ErrorCounts = {},
): ErrorAnswers {
  let heldBack = 0;
  const reportedProblemOf = (error: unknown, request: IncomingMessage): Problem => {
    const problem = problemOf(error);
    writeFailures?.note(error);
    refused?.inc({ code: problem.code, status: String(problem.status) });
    if (problem.status === 500) onError(error, requestIdOf(request));
    return problem;
  };
  return {
    problemOf: reportedProblemOf,
    send(error, request, response) {
      const problem = reportedProblemOf(error, request);
      if (problem.options.isHeldBack !== true) {
        sendProblem(request, response, problem);
        return;
      }
      heldBack = (heldBack + 1) % holdBack.steps;
      setTimeout(sendProblem, holdBack.from + heldBack * holdBack.step, request, response, problem);
    },
  };
}

/** Turns whatever was thrown into problem+json; an answer that has begun is cut off. */
export function errorHandler(answers: ErrorAnswers): ErrorRequestHandler {
  // With its fourth parameter Express knows what handles errors. Its own handler would print each of them.
  return (error: unknown, request, response, _next) => {
    if (!response.headersSent) return answers.send(error, request, response);
    answers.problemOf(error, request);
    response.destroy();
  };
}

const retry = { headers: { "retry-after": "1" } };

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof BusyError) return new Problem(503, "overloaded", error.message, retry);
  if (isUnavailable(error)) {
    return new Problem(503, "database_unavailable", "The database cannot do this now. Try again.", retry);
  }
  // Express's router: a path that cannot be decoded.
  if (error instanceof Error && "status" in error && error.status === 400) {
    return new Problem(400, "malformed_request", error.message);
  }
  return new Problem(500, "internal", "The control plane failed. Its log says why.");
}
