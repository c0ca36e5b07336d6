import { type Data, identifier } from "@creditgate/client";
import { line, ordinal, record } from "@creditgate/client/parts";
import { z } from "zod";

/** An instant in ISO 8601, with `Z` or an offset. */
export const instant = z.iso
  .datetime({ offset: true, error: "Invalid input: expected an instant, as 2026-01-01T00:00:00Z" })
  .refine((text) => !text.startsWith("0000"), "Invalid input: expected an instant from the year 1 on")
  .refine(
    (text) => !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
    "Invalid input: expected an offset of less than 16 hours",
  )
  .refine((text) => text.length <= 64, "Invalid input: expected an instant of at most 64 characters");

/** From when on something holds; not an instant that has passed. @default now */
export const validFrom = instant.optional().describe("From when on, as 2026-01-01T00:00:00Z; now without it");

/** The fields of a query for a part, out of a URL (digits) or as values. */
export const partFields = {
  limit: ordinal
    .refine((records) => records <= 100, "Invalid input: expected a whole number from 1 to 100")
    .optional(),
  // Some keys are long, and two of them make a place.
  cursor: z
    .string()
    .regex(/^[\w-]{1,2048}$/, "Invalid input: expected the next of an answer")
    .optional(),
};

/** The field that all answers of lists have. */
export const partEnd = {
  /** The `cursor` of the records after these; `null` at the end. */
  next: z.string().nullable(),
};

/** A part of a list: an array of records, and `next`. */
export function partOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodObject<Shape & typeof partEnd, z.core.$strip> {
  return record({ ...shape, ...partEnd });
}

/** The fields of a query for a span of time. */
export const spanFields = {
  from: instant.optional().describe("From this instant on, as 2026-01-01T00:00:00Z"),
  to: instant.optional().describe("Before this instant"),
};

/** The fields of a query for what belongs to something. */
export const onlyOf = {
  customerId: identifier.optional().describe("Only of this customer"),
  creditCurrencyKey: identifier.optional().describe("Only in this credit currency"),
  agentId: identifier.optional().describe("Only of this agent"),
  indicator: identifier.optional().describe("Only of this indicator; needs its agent"),
};

/** The field of a request that says why. */
export const reasonField = line(1, 256).describe("Why, for the audit log");

/** A span of time. */
export interface SpanQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const partQuery = z.strictObject(partFields);

/** Which part of a list: its beginning, or what comes after the part before. */
export type PartQuery = Data<typeof partQuery>;
