import { timingSafeEqual } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { digest, isPlausible } from "./api-key.ts";
import { Problem } from "./problem.ts";
import { scopeFor } from "./scopes.ts";

const header = "service-api-key";
const encoder = new TextEncoder();

/** How exactly the last use of a key is known; each request would cost a write otherwise. */
const useResolutionMs = 60_000;

/** Who sent a request. */
export interface Caller {
  readonly orgId: bigint;
  readonly keyId: string;
}

/** Lets in requests whose key is known, valid now, and good for the route; notes whose it is (API, section 5). */
export function authentication(database: Database, clock: Clock): RequestHandler {
  return async (request, response, next) => {
    const apiKey = request.get(header);
    const now = new Date(clock.now());
    const key = apiKey === undefined ? undefined : await validKey(database, apiKey, now);
    if (key === undefined) {
      const received = apiKey === undefined ? "none" : "an unknown one";
      throw new Problem(
        401,
        "unauthorized",
        `expected a valid API key in the header ${header}, received ${received}`,
      );
    }
    const scope = scopeFor(request);
    if (scope !== undefined && !key.scopes.includes(scope)) {
      throw new Problem(
        403,
        "scope_missing",
        `expected an API key with the scope ${scope}, received one with ${key.scopes.join(", ")}`,
      );
    }
    await noteUse(database, key, now);
    response.locals.caller = { orgId: key.org_id, keyId: key.key_id } satisfies Caller;
    next();
  };
}

/** Whose key came with the request, and which. */
export function caller(response: Response): Caller {
  const { caller } = response.locals;
  if (caller === undefined) throw new TypeError("The route is not behind authentication.");
  return caller;
}

/** The organisation whose key came with the request. */
export function organization(response: Response): bigint {
  return caller(response).orgId;
}

/** Who is named in the audit log. */
export function actor(response: Response): string {
  return `key:${caller(response).keyId}`;
}

interface ValidKey {
  readonly org_id: bigint;
  readonly key_id: string;
  readonly scopes: readonly string[];
  readonly last_used_at: Date | null;
}

async function validKey(database: Database, apiKey: string, now: Date): Promise<ValidKey | undefined> {
  if (!isPlausible(apiKey)) return undefined;
  const { hash, lookup } = digest(apiKey);
  const candidates = await database
    .selectFrom("api_keys")
    .select(["org_id", "key_id", "key_hash", "scopes", "last_used_at"])
    .where("key_lookup", "=", lookup)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .execute();
  return candidates.find(({ key_hash }) => timingSafeEqual(encoder.encode(key_hash), encoder.encode(hash)));
}

async function noteUse(database: Database, key: ValidKey, now: Date): Promise<void> {
  const threshold = new Date(now.getTime() - useResolutionMs);
  if (key.last_used_at !== null && key.last_used_at > threshold) return;
  await database
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("org_id", "=", key.org_id)
    .where("key_id", "=", key.key_id)
    .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<=", threshold)]))
    .execute();
}
