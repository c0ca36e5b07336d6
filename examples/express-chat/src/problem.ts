import type { ErrorRequestHandler } from "express";

/** The request cannot be answered as it is. */
export class BadMessage extends Error {
  override readonly name = "BadMessage" as const;
  readonly status = 400;
}

/** Answers what a handler threw as a problem (RFC 9457): the client's fault as such, all else as ours. */
export const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  // The client has disconnected: no one would read an answer.
  if (response.destroyed) return;
  const status = clientErrorOf(error) ?? 502;
  if (status === 502) console.error("express-chat:", error);
  // It is too late for another status: Express breaks the connection off, so that the client notices.
  if (response.headersSent) return next(error);
  const detail =
    status === 502 || !(error instanceof Error) ? "This cannot be answered at the moment." : error.message;
  response.status(status).type("application/problem+json").send(JSON.stringify({ status, detail }));
};

function clientErrorOf(error: unknown): number | undefined {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}
