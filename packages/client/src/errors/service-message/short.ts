import type { Problem } from "../creditgate-error.ts";
import { oneLine } from "../one-line.ts";

/** What the service itself says is wrong, in one line: the detail of its problem. */
export function serviceMessage({ detail, message }: Problem): string | undefined {
  const text = detail ?? message;
  return typeof text === "string" ? oneLine(text) || undefined : undefined;
}
