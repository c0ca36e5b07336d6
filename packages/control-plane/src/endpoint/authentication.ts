import type { IncomingMessage } from "node:http";
import type { ApiKeyScope } from "@creditgate/admin";
import { gateHeader, separateLedgersHeader } from "@creditgate/client";
import type { RequestHandler, Response } from "express";
import type { OwnLimits } from "../database/tables.ts";
import type { SpendingWatch } from "../gates/spending-watch.ts";
import type { Attempts } from "../http/attempts.ts";
import { Problem } from "../http/problem.ts";
import { clientAddress } from "../http/source-address.ts";
import type { KeyRing, ValidKey } from "../keys/key-ring.ts";
import type { Visitor } from "../people/person.ts";

const header = "service-api-key";

/** Who sent a request. */
export interface Caller {
  /** `undefined` for an administrator, where the request is about no organisation, or about all. */
  readonly orgId: bigint | undefined;
  /** The credentials: the ID of an API key, the name of an admin token. */
  readonly keyId: string;
  /** Who is named in the audit log. */
  readonly actor: string;
  /** What an operator has set for the organisation. */
  readonly limits?: OwnLimits;
  /** Of a request to the admin API. */
  readonly visitor?: Visitor;
}

/** Resolves the key of a request, if it is valid now and has the scope; throws a 401 or 403 else (API, section 5). */
export type Authenticate = (request: IncomingMessage, scope: ApiKeyScope | undefined) => Promise<ValidKey>;

export interface AuthenticateOptions {
  readonly keys: KeyRing;
  readonly attempts: Attempts;
  readonly trustedProxies: number;
  /** Counts a request with a valid key that is refused here, before others are counted. Throws where there are too many. */
  readonly take: (key: ValidKey) => void;
}

export function createAuthenticate({
  keys,
  attempts,
  trustedProxies,
  take,
}: AuthenticateOptions): Authenticate {
  const find = (apiKey: string | undefined, request: IncomingMessage) => {
    // Many keys are one query, however many addresses they come from.
    const begin = () => attempts.begin(clientAddress(request, trustedProxies), "none");
    const forgive = () => attempts.forgive(clientAddress(request, trustedProxies), "none");
    if (apiKey !== undefined) return keys.find(apiKey, { begin, forgive });
    // Also without a key: whatever is refused here counts.
    begin();
    return undefined;
  };

  return async (request, scope) => {
    // Node joins a header that comes twice: that is no key.
    const apiKey = request.headers[header]?.toString();
    const known = apiKey === undefined ? undefined : keys.recall(apiKey);
    const key = known ?? (await find(apiKey, request));
    if (key === undefined) {
      const received = apiKey === undefined ? "none" : "an unknown one";
      throw new Problem(
        401,
        "unauthorized",
        `expected a valid API key in the header ${header}, received ${received}`,
      );
    }
    if (scope !== undefined && !key.scopes.includes(scope)) {
      take(key);
      throw new Problem(
        403,
        "scope_missing",
        `expected an API key with the scope ${scope}, received one with ${key.scopes.join(", ")}`,
      );
    }
    return key;
  };
}

/** Lets in requests whose key has the scope; without one, whose key is valid. Notes whose it is, and says so. */
export function authentication(
  authenticate: Authenticate,
  scope: ApiKeyScope | undefined,
  spending: Pick<SpendingWatch, "report">,
): RequestHandler {
  return async (request, response, next) => {
    const { orgId, keyId, limits } = await authenticate(request, scope);
    // Processes whose keys differ, as in a rotation, know by it that they share wallets.
    response.setHeader("creditgate-organization", String(orgId));
    const report = spending.report(orgId, request.headers[gateHeader]);
    const separate = report instanceof Promise ? await report : report;
    if (separate !== undefined) response.setHeader(separateLedgersHeader, separate);
    response.locals.caller = { orgId, keyId, limits, actor: `key:${keyId}` } satisfies Caller;
    next();
  };
}

/** Whose key came with the request, and which. */
export function caller(response: Response): Caller {
  const { caller } = response.locals;
  if (caller === undefined) throw new TypeError("The route is not behind authentication.");
  return caller;
}

/** The organisation that the request is about. */
export function organization(response: Response): bigint {
  const { orgId } = caller(response);
  if (orgId === undefined) throw new TypeError("The request is about no organisation.");
  return orgId;
}

/** Who asks the admin API. */
export function visitor(response: Response): Visitor {
  const { visitor } = caller(response);
  if (visitor === undefined) throw new TypeError("The route is not one of the admin API.");
  return visitor;
}
