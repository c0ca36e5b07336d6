import type { Problem } from "./creditgate-error.ts";

/** Shorter keys are no secrets, but would be found in innocent words. */
const SHORTEST_SECRET = 8;

/** The JSON object of an error answer. A service that tells back the API key must not carry it into our errors. */
export function parseProblem(text: string, apiKey: string): Problem | undefined {
  // As it is, and as a URL or a JSON text within the answer would write it.
  const spellings = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const hide = (_: string, value: unknown): unknown =>
    typeof value === "string" && apiKey.length >= SHORTEST_SECRET
      ? spellings.reduce((text, spelling) => text.replaceAll(spelling, "[api key]"), value)
      : value;
  try {
    const body: unknown = JSON.parse(text, hide);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}
