import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import type { Person } from "../people/person.ts";
import { findSession, idleMs, longestMs } from "../people/sessions.ts";
import type { Site } from "../people/site.ts";

const mostOrganizations = 1_000;

/** Who asks, and what that one may do where. */
export async function accountOf(
  database: Database,
  person: Person | undefined,
  isOperator: boolean,
): Promise<JsonObject> {
  if (person === undefined) return { user: null, operator: isOperator, organizations: [], session: null };
  const { userId, email, name, hasPassword, session } = person;
  const organizations = await database
    .selectFrom("members")
    .innerJoin("organizations", "organizations.org_id", "members.org_id")
    .select(["organizations.org_id", "organizations.name", "roles"])
    .where("user_id", "=", userId)
    .orderBy("organizations.name")
    .limit(mostOrganizations)
    .execute();
  return {
    user: { userId, email, name, hasPassword },
    operator: isOperator,
    organizations: organizations.map(({ org_id, name, roles }) => ({
      organizationId: String(org_id),
      name,
      roles,
    })),
    session: session === undefined ? null : sessionRecord(session),
  };
}

function sessionRecord({ createdAt, usedAt, expiresAt }: NonNullable<Person["session"]>): JsonObject {
  const idleExpiresAt = new Date(Math.min(usedAt.getTime() + idleMs, expiresAt.getTime()));
  return {
    createdAt: createdAt.toISOString(),
    idleExpiresAt: idleExpiresAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** A session that has just begun, by a password as it is stored now. */
interface SignedIn {
  readonly secret: string;
  readonly storedPassword: string;
  readonly status?: number;
}

/** The answer to one who has signed in, which gives the browser its cookies. */
export async function signedIn(
  database: Database,
  site: Site,
  { secret, storedPassword, status = 200 }: SignedIn,
  at: Date,
): Promise<Answer> {
  const person = await findSession(database, secret, at);
  const account = await accountOf(database, person, person?.isOperator ?? false);
  const cookies = [keepSession(site, secret), site.keep("device", newDevice(storedPassword), deviceSeconds)];
  return { ...answer(status, account), headers: { "set-cookie": cookies } };
}

export function keepSession(site: Site, secret: string): string {
  return site.keep("session", secret, longestMs / 1_000);
}

/** How long a browser is known after it has signed in. */
const deviceSeconds: number = 365 * 24 * 60 * 60;

const shape = /^(cgd_[\w-]{22})\.([\w-]{43})$/;

/**
 * The value of a cookie by which a browser that knew the password is known later: guesses of others do not keep it out. It
 * opens nothing. The stored password is its key, so that it needs no table, and ends with the password.
 */
function newDevice(storedPassword: string): string {
  const device = `cgd_${randomBytes(16).toString("base64url")}`;
  return `${device}.${signature(device, storedPassword)}`;
}

/** The device of a cookie, if a browser got it for this password. */
export function knownDevice(
  cookie: string | undefined,
  storedPassword: string | null | undefined,
): string | undefined {
  const [, device, signed] = shape.exec(cookie ?? "") ?? [];
  if (device === undefined || signed === undefined || !storedPassword) return undefined;
  const expected = signature(device, storedPassword);
  return timingSafeEqual(bytes.encode(expected), bytes.encode(signed)) ? device : undefined;
}

const bytes = new TextEncoder();

function signature(device: string, storedPassword: string): string {
  return createHmac("sha256", storedPassword).update(device).digest("base64url");
}
