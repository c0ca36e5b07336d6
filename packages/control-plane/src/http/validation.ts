import type { z } from "zod";
import { type FieldError, Problem } from "./problem.ts";

type Place = "body" | "query" | "path";

/** Parses input, or throws a 400 that names every field that is wrong. */
export function parse<Output>(schema: z.ZodType<Output>, input: unknown, where: Place): Output {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap((issue) => fieldErrors(issue, input, where)));
}

export function invalid(errors: readonly FieldError[]): Problem {
  const detail = errors.map((error) => `${error.pointer}: ${error.detail}`).join("; ");
  return new Problem(400, "invalid_request", detail, { errors });
}

function fieldErrors(issue: z.core.$ZodIssue, input: unknown, where: Place): readonly FieldError[] {
  // A filter that is misspelt would answer what was not asked for.
  if (where === "query" && issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({
      pointer: name,
      detail: "expected no parameter of this name, received it",
    }));
  }
  const detail = expectedAndReceived(issue, input);
  return [{ pointer: where === "body" ? pointer(issue.path) : issue.path.join("."), detail }];
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") || "/";
}

/** The schema's own message, completed by what was received where it does not say so. */
export function expectedAndReceived(issue: z.core.$ZodIssue, input: unknown): string {
  const message = issue.message.replace(/^Invalid input: /, "");
  if (message.includes("received")) return message;
  return `${message}, received ${describe(valueAt(input, issue.path))}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

const longest = 60;

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string" && value.length > longest) return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}
