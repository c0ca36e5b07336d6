import { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";

export function abortedError(endpoint: Endpoint, cause: unknown, status?: number): CreditgateError {
  const message = `${endpoint.method} ${endpoint.path} was aborted by the caller`;
  return new CreditgateError("aborted", message, { cause, status });
}
