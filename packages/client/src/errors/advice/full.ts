import { isJsonObject, type JsonObject } from "../json-object.ts";
import { nearestName } from "../nearest-name.ts";
import { oneLine } from "../one-line.ts";
import { plainName } from "../plain-name.ts";

/** Follows the message that the name is not known. */
export function adviceOn(
  name: string,
  known: readonly string[],
  aliases?: ReadonlyMap<string, string>,
): string {
  const near = aliases?.get(plainName(name)) ?? nearestName(name, known);
  return near === undefined ? `; expected one of ${known.join(", ")}` : `; did you mean "${near}"?`;
}

/** What the service itself says is wrong, in one line: the detail of its problem and the first field it names. */
export function serviceMessage(problem: JsonObject): string | undefined {
  const { errors, error } = problem;
  const said = firstText(problem.detail, problem.message, error, textOf(error, "message"), problem.title);
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const place = textOf(first, "pointer");
  const field = place === undefined ? undefined : `${place}: ${textOf(first, "detail") ?? "refused"}`;
  // If the detail names the field, the message does not repeat it.
  const parts = [said, field !== undefined && said?.includes(field) ? undefined : field];
  const message = parts.filter((part) => part !== undefined).join(": ");
  return message === "" ? undefined : oneLine(message);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function textOf(value: unknown, field: string): string | undefined {
  return isJsonObject(value) ? firstText(value[field]) : undefined;
}
