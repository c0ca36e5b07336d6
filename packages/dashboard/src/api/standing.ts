import { isCreditgateError } from "@creditgate/client";
import { isSignedOut } from "./query-client.ts";

/** A query of the page, whose last answer is kept. */
interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
}

/**
 * What is loaded, also while it cannot be loaded again: a dialog above it has what a person has written, and the key by
 * which money moves once. `undefined` where it is refused.
 */
export function standing<Data>({ data, error }: Asked<Data>): Data | undefined {
  return error === null || isPassing(error) ? data : undefined;
}

/** Whether the control plane cannot be asked at the moment. One who is not signed in any more is led to the sign-in. */
export function isPassing(error: unknown): boolean {
  if (!isCreditgateError(error)) return false;
  const { status } = error;
  return status === undefined || status >= 500 || status === 429 || isSignedOut(error);
}
