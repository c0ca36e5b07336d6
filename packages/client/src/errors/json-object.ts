export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(body: unknown): body is JsonObject {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}
