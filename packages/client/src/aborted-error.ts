import { CreditgateError } from "./creditgate-error.ts";

/** `call` is the method and the address, as {@link callName} writes them. */
export function abortedError(call: string, cause: unknown, status?: number): CreditgateError {
  return new CreditgateError("aborted", `${call} was aborted by the caller`, { cause, status });
}
