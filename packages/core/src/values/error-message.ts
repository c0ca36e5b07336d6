import { isCreditgateError } from "@creditgate/client";

/**
 * The message of an error and of its cause, as one line for operators. Node's error for a name with several addresses
 * has no message: then those of its errors, else its code. Never empty.
 */
export function errorMessage(error: unknown): string {
  const message = ownMessage(error);
  // A message of the client has the words of its cause.
  if (!(error instanceof Error) || error.cause === undefined || isCreditgateError(error)) return message;
  const why = ownMessage(error.cause);
  return message.includes(why) ? message : `${message}: ${why}`;
}

function ownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, name, errors, code }: Coded = error;
  const held = Array.isArray(errors) ? errors.map((one) => (one instanceof Error ? one.message : "")) : [];
  return message || [...new Set(held)].filter(Boolean).join(", ") || (code ? String(code) : name);
}

interface Coded extends Error {
  readonly errors?: unknown;
  readonly code?: unknown;
}
