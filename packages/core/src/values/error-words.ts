import { isCreditgateError } from "@creditgate/client";

/**
 * What an error says, and its cause after it, as a line for an operator needs it. Node's error for a name of several addresses has
 * no message: then those of the errors that it holds, else its code. Never empty.
 */
export function errorWords(error: unknown): string {
  const words = ownWords(error);
  // A message of the client has the words of its cause.
  if (!(error instanceof Error) || error.cause === undefined || isCreditgateError(error)) return words;
  const why = ownWords(error.cause);
  return words.includes(why) ? words : `${words}: ${why}`;
}

function ownWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, name, errors, code }: Coded = error;
  const held = Array.isArray(errors) ? errors.map((one) => (one instanceof Error ? one.message : "")) : [];
  return message || [...new Set(held)].filter(Boolean).join(", ") || (code ? String(code) : name);
}

interface Coded extends Error {
  readonly errors?: unknown;
  readonly code?: unknown;
}
