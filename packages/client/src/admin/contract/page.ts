import { z } from "zod";

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

const limit = z.int().min(1).max(100).optional();

/** The fields of a query for a page. */
export const pageFields: {
  readonly page: z.ZodType<number | undefined>;
  readonly limit: z.ZodType<number | undefined>;
} = {
  page: z.int().min(1).optional(),
  limit,
};

/** The fields of a query for what is older. */
export const olderFields: {
  readonly before: z.ZodType<number | undefined>;
  readonly limit: z.ZodType<number | undefined>;
} = { before: z.int().min(1).optional(), limit };
