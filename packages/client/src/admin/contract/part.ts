import { z } from "zod";
import { ordinal } from "../../contract/list.ts";

/** Which part of a list: its beginning, or what comes after the part before. */
export interface PartQuery {
  /** Records to a part, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
  /** The `next` of the part before. */
  readonly cursor?: string | undefined;
}

/** What all answers of lists have. */
export interface Part {
  /** The `cursor` of the records after these; `null` at the end. */
  readonly next: string | null;
}

/** A span of time. */
export interface SpanQuery {
  /** From this instant on, as `2026-01-01T00:00:00Z`. */
  readonly from?: string | undefined;
  /** Before this instant. */
  readonly to?: string | undefined;
}

/** An instant in ISO 8601, with `Z` or an offset. */
export const instant: z.ZodType<string> = z.iso
  .datetime({ offset: true, error: "Invalid input: expected an instant, as 2026-01-01T00:00:00Z" })
  .refine((text) => !text.startsWith("0000"), "Invalid input: expected an instant from the year 1 on")
  .refine(
    (text) => !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
    "Invalid input: expected an offset of less than 16 hours",
  )
  .refine((text) => text.length <= 64, "Invalid input: expected an instant of at most 64 characters");

/** The fields of a query for a part, out of a URL (digits) or as values. */
export const partFields: {
  readonly limit: z.ZodType<number | undefined>;
  readonly cursor: z.ZodType<string | undefined>;
} = {
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
export const partEnd: { readonly next: z.ZodType<string | null> } = { next: z.string().nullable() };

/** The fields of a query for a span of time. */
export const spanFields: {
  readonly from: z.ZodType<string | undefined>;
  readonly to: z.ZodType<string | undefined>;
} = { from: instant.optional(), to: instant.optional() };

/** Parses the query of a list that has no filters. */
export const partQuery: z.ZodType<PartQuery> = z.strictObject(partFields);
