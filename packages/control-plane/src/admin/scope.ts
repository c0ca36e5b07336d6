import type { RequestHandler } from "express";
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
