import type { PageQuery } from "@creditgate/client/admin";
import type { RequestHandler } from "express";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { caller } from "../http/authentication.ts";
import { unknown } from "../http/references.ts";

/** Finds the organisation in the path, if there is one; a 404 where it does not exist. */
export function findOrganization(database: Database): RequestHandler {
  return async ({ params: { organization_id: id } }, response, next) => {
    if (id !== undefined) {
      response.locals.caller = { ...caller(response), orgId: await organizationOf(database, String(id)) };
    }
    next();
  };
}

async function organizationOf(database: Database, id: string): Promise<bigint> {
  if (/^\d{1,18}$/.test(id)) {
    const organization = await database
      .selectFrom("organizations")
      .select("org_id")
      .where("org_id", "=", BigInt(id))
      .executeTakeFirst();
    if (organization !== undefined) return organization.org_id;
  }
  throw unknown("organization", id);
}

/** Records to a page of a list, and of one that is short as a rule. */
export const usualLimit = 20;
const longLimit = 100;

/** Which records of a list a page has. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: bigint;
}

export function pageOf({ page = 1, limit = usualLimit }: PageQuery): Page {
  return { page, limit, offset: BigInt(page - 1) * BigInt(limit) };
}

export function longPageOf({ page, limit = longLimit }: PageQuery): Page {
  return pageOf({ page, limit });
}

/**
 * The rows of an organisation, to be ordered by `org_id` and then by their number. With a plain `=` PostgreSQL may walk
 * the primary key instead, through all that other organisations have written since this one did.
 */
export function rowsOf(orgId: bigint): RawBuilder<boolean> {
  return sql<boolean>`org_id between ${orgId} and ${orgId}`;
}
