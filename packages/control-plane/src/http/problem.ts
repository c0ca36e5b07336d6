import type { IncomingMessage, ServerResponse } from "node:http";
import { type JsonObject, stringify } from "./json.ts";

/** A field of a request that is wrong. */
export interface FieldError {
  /** A JSON pointer into the body, or the name of a query parameter or header. */
  readonly pointer: string;
  /** What was expected, and what was received. */
  readonly detail: string;
}

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
  /** Fields of its own, beside those that all problems have. */
  readonly further?: JsonObject;
  /** Whether the answer is held back for a moment: for refusals of a client that asks too often. @default false */
  readonly isHeldBack?: boolean;
}

/** An answer that is an error, as problem+json (RFC 9457). The spec shows no error bodies; this is our choice. */
export class Problem extends Error {
  override readonly name = "Problem" as const;
  readonly status: number;
  readonly code: string;
  readonly options: ProblemOptions;

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.options = options;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Body too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal server error",
  503: "Service unavailable",
};

/** What is left of a body is read and thrown away up to this size, so that the connection can be used again. */
const cheapBytes = 64 * 1024;

/** A client that still sends when its connection is closed is reset and loses the response: it has this time to read it first. */
const lingerMs = 5_000;

/** The body of a problem. */
export function describeProblem({ status, code, message, options }: Problem): string {
  return stringify({
    type: "about:blank",
    title: titles[status] ?? "Error",
    status,
    detail: message,
    code,
    ...(options.errors === undefined ? {} : { errors: options.errors.map((error) => ({ ...error })) }),
    ...options.further,
  });
}

/** Answers with a problem. Past Express, whose `send` finds out again what is known here. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const { status, options } = problem;
  const body = describeProblem(problem);
  const leavesMuch = isMuchUnread(request);
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": "application/problem+json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...(leavesMuch ? { connection: "close" } : {}),
    ...options.headers,
  });
  if (!leavesMuch) {
    response.end(body);
    return;
  }
  response.write(body);
  const end = setTimeout(() => response.end(), lingerMs);
  response.once("close", () => clearTimeout(end));
}

function isMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > cheapBytes;
}
