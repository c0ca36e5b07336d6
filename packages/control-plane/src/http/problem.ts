import type { Response } from "express";

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

export function sendProblem(response: Response, problem: Problem): void {
  const { status, code, message, options } = problem;
  response
    .status(status)
    .set({ "cache-control": "no-store", ...options.headers })
    .type("application/problem+json")
    .send(
      JSON.stringify({
        type: "about:blank",
        title: titles[status] ?? "Error",
        status,
        detail: message,
        code,
        ...(options.errors === undefined ? {} : { errors: options.errors }),
      }),
    );
}
