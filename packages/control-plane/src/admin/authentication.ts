import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { LRUCache } from "lru-cache";
import type { Database } from "../database/connection.ts";
import type { RateLimit } from "../endpoint/rate-limit.ts";
import type { Attempts } from "../http/attempts.ts";
import { Problem } from "../http/problem.ts";
import { actorOf, type Person } from "../people/person.ts";
import { findSession } from "../people/sessions.ts";
import type { Site } from "../people/site.ts";
import { findUserToken, hashSecret } from "../people/user-tokens.ts";
import type { Clock } from "../time/clock.ts";

/** A credential of the admin API, and whose it is. */
export interface AdminToken {
  /** Stands in the audit log. */
  readonly name: string;
  /** At least 20 characters. */
  readonly token: string;
}

/** Whose credential came with a request. */
export interface Identity {
  readonly actor: string;
  /** `undefined` for an admin token. */
  readonly person: Person | undefined;
  readonly isOperator: boolean;
}

export interface IdentifyOptions {
  readonly adminTokens: readonly AdminToken[];
  readonly attempts: Attempts;
  readonly limit: Pick<RateLimit, "takeOfPerson">;
  readonly database: Database;
  readonly clock: Clock;
  /** `undefined` where people do not sign in. */
  readonly site: Site | undefined;
}

/** Finds out who asks; throws a 401 for a credential that is not known, or none. An API key opens nothing here. */
export type Identify = (request: Request, options?: IdentifyAgain) => Promise<Identity>;

interface IdentifyAgain {
  /** Whether the credential is used by it: a session ends when it has not been used for long. @default true */
  readonly isUse?: boolean;
}

export function createIdentify({
  adminTokens,
  attempts,
  limit,
  database,
  clock,
  site,
}: IdentifyOptions): Identify {
  const known = adminTokens.map(({ name, token }) => ({ name, hash: sha256(token) }));

  /** One who has signed in is let in also while others guess from the same address. */
  const good = new LRUCache<string, true>({ max: 10_000 });

  /** What comes is counted before it is looked up, guesses by their address: what is refused later costs as much. */
  async function attempt(
    request: Request,
    secret: string,
    find: (database: Database, secret: string, at: Date, isUse?: boolean) => Promise<Person | undefined>,
    isUse = true,
  ): Promise<Person> {
    const hash = hashSecret(secret);
    const wasGood = good.has(hash);
    if (!wasGood) attempts.begin(request.ip);
    else if (isUse) limit.takeOfPerson(hash);
    const person = await find(database, secret, new Date(clock.now()), isUse);
    if (person === undefined) {
      good.delete(hash);
      throw unauthorized("an unknown one");
    }
    good.set(hash, true);
    if (!wasGood) attempts.forgive(request.ip);
    return person;
  }

  return async (request, { isUse } = {}) => {
    const authorization = request.get("authorization");
    // A header that is wrong is not made good by a cookie.
    if (authorization !== undefined) {
      const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      const hash = sha256(token);
      const admin = known.find((candidate) => timingSafeEqual(candidate.hash, hash));
      if (admin !== undefined) return { actor: `admin:${admin.name}`, person: undefined, isOperator: true };
      return identityOf(await attempt(request, token, findUserToken, isUse));
    }
    const secret = site?.cookie("session", request);
    if (secret === undefined) {
      attempts.begin(request.ip);
      throw unauthorized("none");
    }
    const person = await attempt(request, secret, findSession, isUse);
    requireOwnPage(request, site);
    return identityOf(person);
  };
}

/** What a browser does with its cookies is done by the person only where a page of ours asks for it. */
export function requireOwnPage(request: Request, site: Site | undefined): void {
  const foreignness =
    request.method === "GET" || request.method === "HEAD"
      ? foreignRead(request.get("sec-fetch-site"))
      : site?.foreignness(request);
  if (foreignness !== undefined) throw new Problem(403, "origin_refused", foreignness);
}

/** A read changes nothing, and no other site can see its answer; it need not be answered either. */
function foreignRead(relation: string | undefined): string | undefined {
  if (relation === undefined || relation === "same-origin" || relation === "none") return undefined;
  return `expected the header Sec-Fetch-Site to say same-origin, received ${JSON.stringify(relation)}`;
}

function identityOf(person: Person): Identity {
  return { actor: actorOf(person), person, isOperator: person.isOperator };
}

function unauthorized(received: string): Problem {
  return new Problem(
    401,
    "unauthorized",
    `expected an admin token, or that of a user, in the header Authorization, or a session, received ${received}`,
    { headers: { "www-authenticate": 'Bearer realm="creditgate admin"' } },
  );
}

function sha256(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}
