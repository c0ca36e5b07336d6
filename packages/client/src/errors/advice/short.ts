import type { JsonObject } from "../json-object.ts";
import { oneLine } from "../one-line.ts";

/** In a bundle for the edge the documentation has the names. */
export function adviceOn(
  _name: string,
  _known: readonly string[],
  _aliases?: ReadonlyMap<string, string>,
): string {
  return "";
}

/** What the service itself says is wrong, in one line: the detail of its problem. */
export function serviceMessage({ detail, message }: JsonObject): string | undefined {
  const text = detail ?? message;
  return typeof text === "string" ? oneLine(text) || undefined : undefined;
}
