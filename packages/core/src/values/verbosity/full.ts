import { nearestName } from "@creditgate/client";
import { isThenable } from "../object.ts";

/** Whether messages say what was expected and what to do. */
export const verbose: boolean = true;

/** A value as messages show it: strings quoted, objects only by their type. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  }
  if (isThenable(value)) return "a promise";
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "an array" : objectName(value);
  return typeof value === "function" ? "a function" : String(value);
}

/** A `Map` is an object too, but not the one that was expected. */
function objectName(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name !== "string" || name === "" || name === "Object"
    ? "an object"
    : `an object of class ${name.slice(0, 64)}`;
}

/** Follows the message that the name is not known. */
export function nearestAdvice(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}
