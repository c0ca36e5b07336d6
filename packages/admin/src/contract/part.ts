import type { Data } from "@creditgate/client";
import { ordinal, record } from "@creditgate/client/parts";
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
  /** From this instant on, as `2026-01-01T00:00:00Z`. */
  from: instant.optional(),
  /** Before this instant. */
  to: instant.optional(),
};

/** A span of time. */
export interface SpanQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const partQuery = z.strictObject(partFields);

/** Which part of a list: its beginning, or what comes after the part before. */
export type PartQuery = Data<typeof partQuery>;
