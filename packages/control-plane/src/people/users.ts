import { randomUUID } from "node:crypto";
import { type MemberRole, memberRoles } from "@creditgate/admin";
import type { Selectable } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { requireRoom } from "../limits/limits.ts";

export type User = Selectable<Tables["users"]>;

/** The account of an e-mail, in lower case. */
export function findUser(database: Pick<Database, "selectFrom">, email: string): Promise<User | undefined> {
  return database.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
}

/** An account by its ID, which no one else changes until the transaction ends. */
export function lockUser(transaction: DatabaseTransaction, userId: string): Promise<User | undefined> {
  return transaction
    .selectFrom("users")
    .selectAll()
    .where("user_id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Whether a person may still sign in by a password that was found to be right a moment ago; it stays so until the
 * transaction ends.
 */
export async function holdPassword(
  transaction: DatabaseTransaction,
  userId: string,
  stored: string | null,
): Promise<boolean> {
  const held = await transaction
    .selectFrom("users")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("password_hash", "=", stored)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** A new account. */
interface NewUser {
  readonly email: string;
  readonly name: string | undefined;
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
}

/** Makes an account; `undefined` where the e-mail has one. */
export async function createUser(
  transaction: DatabaseTransaction,
  { email, name = email, passwordHash, isOperator }: NewUser,
  at: Date,
): Promise<User | undefined> {
  const user = await transaction
    .insertInto("users")
    .values({
      user_id: randomUUID(),
      email,
      name,
      password_hash: passwordHash,
      is_operator: isOperator,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const record = { orgId: undefined, actor: `user:${email}`, action: "user.create" } as const;
  await audit(transaction, { ...record, subject: email, after: { operator: isOperator } }, at);
  return user;
}

/** Makes a person a member, or gives a member more roles; what it has it keeps. */
export async function join(
  transaction: DatabaseTransaction,
  {
    orgId,
    user,
    roles,
  }: { readonly orgId: bigint; readonly user: User; readonly roles: readonly MemberRole[] },
  at: Date,
): Promise<void> {
  const before = await transaction
    .selectFrom("members")
    .select("roles")
    .where("org_id", "=", orgId)
    .where("user_id", "=", user.user_id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) await requireRoom(transaction, orgId, "members", { at });
  const all = memberRoles.filter((role) => roles.includes(role) || before?.roles.includes(role));
  await transaction
    .insertInto("members")
    .values({ org_id: orgId, user_id: user.user_id, roles: all, created_at: at })
    .onConflict((conflict) => conflict.columns(["org_id", "user_id"]).doUpdateSet({ roles: all }))
    .execute();
  const who = { orgId, actor: `user:${user.email}` };
  const change = { before: before?.roles ?? null, after: all };
  await audit(transaction, { ...who, action: "member.join", subject: user.email, ...change }, at);
}
