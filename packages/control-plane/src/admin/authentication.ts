import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { Attempts } from "../http/attempts.ts";
import type { Caller } from "../http/authentication.ts";
import { Problem } from "../http/problem.ts";

/** A credential of the admin API, and whose it is. */
export interface AdminToken {
  /** Stands in the audit log. */
  readonly name: string;
  /** At least 20 characters. */
  readonly token: string;
}

/** Lets in requests with `Authorization: Bearer <admin token>`; an API key opens nothing here. */
export function adminAuthentication(tokens: readonly AdminToken[], attempts: Attempts): RequestHandler {
  const known = tokens.map(({ name, token }) => ({ name, hash: sha256(token) }));

  return (request, response, next) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.get("authorization") ?? "") ?? [];
    const hash = sha256(token ?? "");
    const admin = known.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (token === undefined || admin === undefined) {
      attempts.begin(request.ip);
      throw new Problem(
        401,
        "unauthorized",
        `expected an admin token in the header Authorization, received ${token === undefined ? "none" : "an unknown one"}`,
        { headers: { "www-authenticate": 'Bearer realm="creditgate admin"' } },
      );
    }
    const { name } = admin;
    response.locals.caller = { orgId: undefined, keyId: name, actor: `admin:${name}` } satisfies Caller;
    next();
  };
}

function sha256(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}
