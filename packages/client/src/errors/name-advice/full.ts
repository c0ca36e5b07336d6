import { nearestName } from "../nearest-name.ts";
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
