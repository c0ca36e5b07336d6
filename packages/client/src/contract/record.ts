import { z } from "zod";

/** A JSON object whose fields the API does not show; it is passed on as it is. */
export type OpenRecord = Readonly<Record<string, unknown>>;

/** A JSON object whose fields the API does not show; it is passed on as it is. */
export const openRecord: z.ZodType<OpenRecord> = z.custom<OpenRecord>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Invalid input: expected object",
);
