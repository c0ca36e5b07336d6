import { timingSafeEqual } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Database } from "../database/connection.ts";
import { digest, isPlausible } from "./api-key.ts";
import { Problem } from "./problem.ts";

const header = "service-api-key";
const encoder = new TextEncoder();

/** Lets in requests whose key is known, and notes whose it is (API, section 5). */
export function authentication(database: Database): RequestHandler {
  return async (request, response, next) => {
    const apiKey = request.get(header);
    const orgId = apiKey === undefined ? undefined : await organizationOf(database, apiKey);
    if (orgId === undefined) {
      const received = apiKey === undefined ? "none" : "an unknown one";
      throw new Problem(
        401,
        "unauthorized",
        `expected a valid API key in the header ${header}, received ${received}`,
      );
    }
    response.locals.orgId = orgId;
    next();
  };
}

/** The organisation whose key came with the request. */
export function organization(response: Response): bigint {
  const { orgId } = response.locals;
  if (typeof orgId !== "bigint") throw new TypeError("The route is not behind authentication.");
  return orgId;
}

async function organizationOf(database: Database, apiKey: string): Promise<bigint | undefined> {
  if (!isPlausible(apiKey)) return undefined;
  const { hash, lookup } = digest(apiKey);
  const candidates = await database
    .selectFrom("api_keys")
    .select(["org_id", "key_hash"])
    .where("key_lookup", "=", lookup)
    .execute();
  return candidates.find(({ key_hash }) => timingSafeEqual(encoder.encode(key_hash), encoder.encode(hash)))
    ?.org_id;
}
