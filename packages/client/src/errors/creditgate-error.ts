import { verbose } from "#verbosity";
/**
 * What went wrong, and what it says about the request.
 *
 * - `invalid_option`: misuse, found before anything was sent
 * - `aborted`: the caller's signal fired; the request may have been processed
 * - `timeout`: no complete answer within `timeoutMs`; the request may have been processed
 * - `not_sent`: name resolution, connection or TLS failed; the request was certainly never written
 * - `connection_lost`: reset, or a truncated answer; the request may have been processed
 * - `redirected`: a 3xx answer, which is never followed
 * - `answer_too_large`: a 2xx answer beyond `maxAnswerBytes`
 * - `answer_invalid`: a 2xx answer whose body does not fit the contract
 * - `http`: a status of 400 or above
 * - `refused`: a 2xx answer that says that part of what was asked has not been done; `problem` is the whole answer
 */
export type CreditgateErrorCode =
  | "invalid_option"
  | "aborted"
  | "timeout"
  | "not_sent"
  | "connection_lost"
  | "redirected"
  | "answer_too_large"
  | "answer_invalid"
  | "http"
  | "refused";

/** The JSON object of an error answer, RFC 9457 in Creditgate's control plane; unverified. */
export type Problem = Readonly<Record<string, unknown>>;

/** What is known about a failure besides its code. */
export interface CreditgateErrorDetails {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly problem?: Problem | undefined;
}

/** The one error of this package. It never holds the API key. */
export class CreditgateError extends Error {
  override readonly name = "CreditgateError" as const;
  readonly code: CreditgateErrorCode;
  /** The status, whenever a status line was received, also when the body was then lost, late or too large. */
  readonly status: number | undefined;
  /** A repetition may succeed. Whether it is safe depends on the endpoint, or on an idempotency key. */
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds, from its `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** The JSON object of the answer that says what is wrong, if there was one. */
  readonly problem: Problem | undefined;

  constructor(code: CreditgateErrorCode, message: string, details: CreditgateErrorDetails = {}) {
    super(verbose ? message : `${message} [${code}]`, "cause" in details ? { cause: details.cause } : {});
    this.code = code;
    this.status = details.status;
    this.retryable = isRetryable(code, details.status);
    this.retryAfterMs = details.retryAfterMs;
    this.problem = details.problem;
  }
}

function isRetryable(code: CreditgateErrorCode, status = 0): boolean {
  switch (code) {
    case "timeout":
    case "not_sent":
    case "connection_lost":
      return true;
    case "http":
      return status === 408 || status === 429 || status >= 500;
    case "invalid_option":
    case "aborted":
    case "redirected":
    case "answer_too_large":
    case "answer_invalid":
    case "refused":
      return false;
  }
}

/** Whether it is a `CreditgateError`, of whichever instance of this package: a bundler may make several. */
export function isCreditgateError(error: unknown): error is CreditgateError {
  return error instanceof Error && error.name === "CreditgateError" && "code" in error;
}

/** `call` is the method and the address, as {@link callName} writes them. */
export function abortedError(call: string, cause: unknown, status?: number): CreditgateError {
  return new CreditgateError("aborted", verbose ? `${call} was aborted by the caller` : call, {
    cause,
    status,
  });
}
