import type { z } from "zod";
import type { Answer } from "./call.ts";
import { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** Returns what the caller gave, as it is, if it fits; throws `invalid_option` naming the field if it does not. */
export function checkInput<T>(endpoint: Endpoint, schema: z.ZodType<T>, value: T, name = ""): T {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value;
  throw new CreditgateError("invalid_option", `${endpoint.name}: ${firstIssue(error, name)}`);
}

/** Returns the body of a 2xx answer in the contract's type; throws `answer_invalid` naming the field. */
export function checkAnswer<T>(endpoint: Endpoint, schema: z.ZodType<T>, answer: Answer): T {
  const { data, error } = schema.safeParse(answer.body);
  if (error === undefined) return data;
  const message = `${endpoint.method} ${endpoint.path} answered ${answer.status} with a body that does not fit: ${firstIssue(error, "")}`;
  throw new CreditgateError("answer_invalid", message, { status: answer.status });
}

/** The place and the message of the first issue; zod's messages tell types, not values. */
function firstIssue(error: z.ZodError, name: string): string {
  const [issue] = error.issues;
  // A path may hold a key from outside: quoted, so that it cannot break a line of a log.
  const path = JSON.stringify(issue?.path.join(".") || name || "body").slice(1, -1);
  return `${path}: ${issue?.message}`;
}
