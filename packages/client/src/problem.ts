import type { Problem } from "./creditgate-error.ts";

/** Shorter keys are no secrets, but would be found in innocent words. */
const SHORTEST_SECRET = 8;

/** The JSON object of an error answer. A service that tells back the API key must not carry it into our errors. */
export function parseProblem(text: string, apiKey: string): Problem | undefined {
  const hide = (_: string, value: unknown): unknown =>
    typeof value === "string" && apiKey.length >= SHORTEST_SECRET
      ? value.replaceAll(apiKey, "[api key]")
      : value;
  try {
    const body: unknown = JSON.parse(text, hide);
    return isProblem(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}
