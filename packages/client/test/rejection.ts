import { expect } from "vitest";
import { CreditgateError } from "../src/index.ts";

/** The error with which a call fails. */
export async function rejection(call: Promise<unknown>): Promise<CreditgateError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return asCreditgateError(error);
}

/** The error that a function throws. */
export function thrown(run: () => unknown): CreditgateError {
  let error: unknown;
  try {
    run();
  } catch (reason) {
    error = reason;
  }
  return asCreditgateError(error);
}

function asCreditgateError(error: unknown): CreditgateError {
  expect(error).toBeInstanceOf(CreditgateError);
  if (error instanceof CreditgateError) return error;
  throw error;
}
