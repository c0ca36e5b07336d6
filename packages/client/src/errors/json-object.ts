import type { Problem } from "./creditgate-error.ts";

export function isJsonObject(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}
