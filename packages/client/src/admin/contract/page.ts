import type { z } from "zod";
import { ordinal } from "../../contract/list.ts";

/** Which page of a list. */
export interface PageQuery {
  /** From 1. @default 1 */
  readonly page?: number | undefined;
  /** Records to a page, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
}

/** Which part of a list that grows at its beginning: the newest records, or those before one. */
export interface OlderQuery {
  /** Only records that are older than the one with this number. @default from the newest */
  readonly before?: number | undefined;
  /** Records to a page, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
}

const limit = ordinal.refine((records) => records <= 100, "expected at most 100").optional();

/** The fields of a query for a page, out of a URL (digits) or as values. */
export const pageFields: {
  readonly page: z.ZodType<number | undefined>;
  readonly limit: z.ZodType<number | undefined>;
} = {
  page: ordinal.optional(),
  limit,
};

/** The fields of a query for what is older. */
export const olderFields: {
  readonly before: z.ZodType<number | undefined>;
  readonly limit: z.ZodType<number | undefined>;
} = { before: ordinal.optional(), limit };
