import type { AdminScope, MemberRole } from "@creditgate/admin";
import type { Request, RequestHandler } from "express";
import type { Database } from "../database/connection.ts";
import type { OwnLimits } from "../database/tables.ts";
import type { Caller } from "../endpoint/authentication.ts";
import { notFound } from "../endpoint/errors.ts";
import type { Budget } from "../http/attempts.ts";
import { Problem, unknown } from "../http/problem.ts";
import type { Visitor } from "../people/person.ts";
import { createIdentify, type IdentifyOptions, type Identity, requireOwnPage } from "./authentication.ts";
import { type AdminServed, allowedRoles, isRole, may } from "./table.ts";

/** Lets in requests whose sender may do what takes the scope. Nothing else decides on that. */
export type Admit = (served: Pick<AdminServed, "scope" | "countsAttempts">) => RequestHandler;

export function createAdmit(options: IdentifyOptions): Admit {
  const { database, attempts, site } = options;
  const identify = createIdentify(options);

  /** One who has a link or a password has no credential yet; a session that is there all the same may matter. */
  async function welcome(request: Request, budget: Budget): Promise<Identity> {
    attempts.begin(request.ip, budget);
    // The identity provider sends the browser back from another site.
    if (request.method === "GET" || request.method === "HEAD") return stranger;
    requireOwnPage(request, site);
    const hasSession = site?.cookie("session", request) !== undefined;
    if (!hasSession || request.get("authorization") !== undefined) return stranger;
    return identify(request).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) return stranger;
      throw error;
    });
  }

  return ({ scope, countsAttempts = false }) =>
    async (request, response, next) => {
      if (scope === "anyone" && site === undefined) {
        await notFound(request, response, next);
        return;
      }
      const identity = await (scope === "anyone"
        ? welcome(request, countsAttempts ? "none" : "strangers")
        : identify(request));
      const { orgId, roles, limits } = await placeOf(database, scope, identity, request);
      const visitor: Visitor = {
        person: identity.person,
        isOperator: identity.isOperator,
        roles,
        address: request.ip,
        isStillAdmitted: () => isStillAdmitted(scope, request),
        cookie: (kind) => site?.cookie(kind, request),
      };
      requireScope(scope, visitor);
      response.locals.caller = {
        orgId,
        limits,
        keyId: identity.actor,
        actor: identity.actor,
        visitor,
      } satisfies Caller;
      next();
    };

  async function isStillAdmitted(scope: AdminScope, request: Request): Promise<boolean> {
    try {
      const identity = await identify(request, { isUse: false });
      const { roles } = await placeOf(database, scope, identity, request);
      requireScope(scope, { ...identity, roles });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return false;
      throw error;
    }
  }
}

const stranger: Identity = { actor: "anyone", person: undefined, isOperator: false };

/** The organisation that a request names, and what its sender may do there. */
interface Place {
  readonly orgId: bigint | undefined;
  readonly roles: readonly MemberRole[];
  readonly limits: OwnLimits;
}

/** Read at each request: a role that is taken away is gone at once. */
async function placeOf(
  database: Database,
  scope: AdminScope,
  { person, isOperator }: Identity,
  { params, query }: Request,
): Promise<Place> {
  // The list that is of all organisations, where none is named, is the operators'.
  const id = params.organizationId ?? (isRole(scope) ? query.organizationId : undefined);
  if (id === undefined) return { orgId: undefined, roles: [], limits: {} };
  const found = await findPlace(database, String(id), person?.userId);
  // The existence of another organisation is not revealed to those who are no members.
  if (found === undefined || !(isOperator || found.roles.length > 0))
    throw unknown("organization", String(id));
  return found;
}

async function findPlace(
  database: Database,
  id: string,
  userId: string | undefined,
): Promise<Place | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const organization = await database
    .selectFrom("organizations")
    .leftJoin("members", (join) =>
      join.onRef("members.org_id", "=", "organizations.org_id").on("members.user_id", "=", userId ?? noUser),
    )
    .select(["organizations.org_id", "roles", "limits"])
    .where("organizations.org_id", "=", BigInt(id))
    .executeTakeFirst();
  if (organization === undefined) return undefined;
  return { orgId: organization.org_id, roles: organization.roles ?? [], limits: organization.limits };
}

const noUser = "00000000-0000-0000-0000-000000000000";

function requireScope(scope: AdminScope, visitor: Pick<Visitor, "person" | "isOperator" | "roles">): void {
  switch (scope) {
    case "anyone":
    case "user":
      return;
    case "session":
      if (visitor.person?.session !== undefined) return;
      throw new Problem(403, "session_required", "expected a person who has signed in, received a token");
    case "operator":
      if (visitor.isOperator) return;
      throw new Problem(403, "role_missing", "expected an operator, received one who is none");
    default:
      requireRole(visitor, scope);
  }
}

/** A 403 for one who lacks a role, in the organisation that the request names. */
export function requireRole(visitor: Pick<Visitor, "isOperator" | "roles">, role: MemberRole): void {
  if (may(visitor, role)) return;
  const expected = allowedRoles[role].join(" or ");
  const received = visitor.roles.length === 0 ? "none" : visitor.roles.join(", ");
  throw new Problem(403, "role_missing", `expected the role ${expected}, received ${received}`);
}
