import type { Problem } from "./creditgate-error.ts";
import { isJsonObject } from "./problem.ts";

/** Longer words are cut: a message is a line of a log. */
const mostCharacters = 300;

/** What the service itself says is wrong, in one line: the detail of its problem and the first field it names. */
export function serviceWords(problem: Problem): string | undefined {
  const { errors, error } = problem;
  const said = firstText(problem.detail, problem.message, error, textOf(error, "message"), problem.title);
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const place = textOf(first, "pointer");
  const field = place === undefined ? undefined : `${place}: ${textOf(first, "detail") ?? "refused"}`;
  // Where the detail tells of the field itself, it says so once.
  const parts = [said, field !== undefined && said?.includes(field) ? undefined : field];
  const words = parts.filter((part) => part !== undefined).join(": ");
  return words === "" ? undefined : oneLine(words);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function textOf(value: unknown, field: string): string | undefined {
  return isJsonObject(value) ? firstText(value[field]) : undefined;
}

/** Nothing from outside may break a line of a log, or steer a terminal. */
export function oneLine(text: string, most: number = mostCharacters): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
