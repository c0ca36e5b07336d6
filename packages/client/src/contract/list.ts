import { z } from "zod";
import { identifier } from "./text.ts";

/** A part of a list, from its beginning or from where the part before ended. The API shows no pages of it: this is our choice. */
export interface ListQuery {
  /** Records to a part, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
  /** The `next` of the part before. */
  readonly cursor?: string | undefined;
}

/** A position or a size of a page; out of a URL it arrives as digits. */
export const ordinal: z.ZodType<number> = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int().min(1),
);

/** Parses the query of a list, out of a URL (digits) or as values. */
export const listQuery: z.ZodType<ListQuery> = z.object({
  limit: ordinal.optional(),
  cursor: identifier.optional(),
});
