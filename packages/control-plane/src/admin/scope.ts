import type { Request } from "express";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { unknown } from "../http/references.ts";
import { parse } from "../http/validation.ts";

/** Where the routes of an organisation begin. */
export const organizationPath = "/admin/api/organizations/:organization_id";

/** The organisation in the path of an admin request. */
export async function organizationOf(database: Database, request: Request): Promise<bigint> {
  const { organization_id: id } = request.params;
  const text = typeof id === "string" ? id : "";
  if (/^\d{1,18}$/.test(text)) {
    const organization = await database
      .selectFrom("organizations")
      .select("org_id")
      .where("org_id", "=", BigInt(text))
      .executeTakeFirst();
    if (organization !== undefined) return organization.org_id;
  }
  throw unknown("organization", text);
}

const digits = (max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(1).max(max),
  );

/** A page of a list. */
export const page: { readonly page: z.ZodType<number>; readonly limit: z.ZodType<number> } = {
  page: digits(1e12).default(1),
  limit: digits(100).default(20),
};

/** A page of a list that is short as a rule. */
export const longPage: typeof page = { ...page, limit: digits(100).default(100) };

/** The part of a list that is older than an entry. */
export const older: { readonly before: z.ZodType<number | undefined>; readonly limit: z.ZodType<number> } = {
  before: digits(1e15).optional(),
  limit: digits(100).default(20),
};

/**
 * The rows of an organisation, to be ordered by `org_id` and then by their number. With a plain `=` PostgreSQL may walk
 * the primary key instead, through all that other organisations have written since this one did.
 */
export function rowsOf(orgId: bigint): RawBuilder<boolean> {
  return sql<boolean>`org_id between ${orgId} and ${orgId}`;
}

export function parseQuery<Output>(schema: z.ZodType<Output>, request: Request): Output {
  return parse(schema, request.query, "query");
}
