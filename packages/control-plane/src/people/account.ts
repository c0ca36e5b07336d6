import type { Database } from "../database/connection.ts";
import { answer } from "../http/call.ts";
import type { Answer } from "../http/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import { deviceSeconds, newDevice } from "./device.ts";
import type { Person } from "./person.ts";
import { findSession, idleMs, longestMs } from "./sessions.ts";
import type { Site } from "./site.ts";

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
export interface SignedIn {
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
