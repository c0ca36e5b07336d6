import type { RequestHandler, Response } from "express";
import type { KeyRing } from "../keys/key-ring.ts";
import { scopeFor } from "../keys/scopes.ts";
import type { Attempts } from "./attempts.ts";
import { Problem } from "./problem.ts";

const header = "service-api-key";

/** Who sent a request. */
export interface Caller {
  readonly orgId: bigint;
  readonly keyId: string;
}

/** Lets in requests whose key is known, valid now, and good for the route; notes whose it is (API, section 5). */
export function authentication(keys: KeyRing, attempts: Attempts): RequestHandler {
  return async (request, response, next) => {
    const apiKey = request.get(header);
    const attempt = {
      begin: () => attempts.begin(request.ip),
      forgive: () => attempts.forgive(request.ip),
    };
    // Also without a key: whatever is refused here counts.
    if (apiKey === undefined) attempt.begin();
    const key = apiKey === undefined ? undefined : await keys.find(apiKey, attempt);
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
    response.locals.caller = { orgId: key.orgId, keyId: key.keyId } satisfies Caller;
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
