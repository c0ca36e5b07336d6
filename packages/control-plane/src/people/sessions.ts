import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { useResolutionMs } from "../time/clock.ts";
import { type LiveSession, type Person, personOf } from "./person.ts";
import { generateSecret, hashSecret, isSecret, revokeUserTokens } from "./user-tokens.ts";
import type { User } from "./users.ts";

const hour = 60 * 60 * 1_000;

/** A session ends after so long without a request. */
export const idleMs: number = 8 * hour;
/** And after so long whatever is asked. */
export const longestMs: number = 7 * 24 * hour;

/** Begins a session, under a name that no one knew before: one that was put into a browser in advance becomes none. */
export async function startSession(
  transaction: DatabaseTransaction,
  userId: string,
  at: Date,
): Promise<string> {
  const secret = generateSecret("cgs_");
  // Nothing else removes what has ended; of one person's it is little.
  await transaction
    .deleteFrom("user_sessions")
    .where("user_id", "=", userId)
    .where((where) =>
      where.or([where("expires_at", "<=", at), where("used_at", "<=", new Date(at.getTime() - idleMs))]),
    )
    .execute();
  await transaction
    .insertInto("user_sessions")
    .values({
      session_hash: hashSecret(secret),
      user_id: userId,
      created_at: at,
      used_at: at,
      expires_at: new Date(at.getTime() + longestMs),
    })
    .execute();
  return secret;
}

/** Who has a session that has not ended; notes that it is used, unless it is only looked at. */
export async function findSession(
  database: Database,
  secret: string | undefined,
  at: Date,
  isUse = true,
): Promise<Person | undefined> {
  if (!isSecret(secret, "cgs_")) return undefined;
  const hash = hashSecret(secret);
  const found = await database
    .selectFrom("user_sessions as session")
    .innerJoin("users", "users.user_id", "session.user_id")
    .select(["users.user_id", "email", "name", "password_hash", "is_operator"])
    .select(["session.created_at", "used_at", "expires_at"])
    .where("session_hash", "=", hash)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { used_at, expires_at } = found;
  if (expires_at <= at || used_at.getTime() + idleMs <= at.getTime()) return undefined;
  const isStale = isUse && used_at.getTime() + useResolutionMs <= at.getTime();
  if (isStale) {
    await database
      .updateTable("user_sessions")
      .set({ used_at: at })
      .where("session_hash", "=", hash)
      .where("used_at", "<", at)
      .execute();
  }
  const usedAt = isStale ? at : used_at;
  const session = { hash, createdAt: found.created_at, usedAt, expiresAt: expires_at };
  return personOf(found, { session, tokenName: undefined });
}

/** Whether a session that was found a moment ago has not been ended since. */
export async function isLive(
  database: Pick<Database, "selectFrom">,
  session: LiveSession | undefined,
): Promise<boolean> {
  const found = await database
    .selectFrom("user_sessions")
    .select("user_id")
    .where("session_hash", "=", session?.hash ?? "")
    .executeTakeFirst();
  return found !== undefined;
}

/** Ends a session, by the secret or by its hash. */
export async function endSession(
  database: Pick<Database, "deleteFrom">,
  session: { readonly secret: string | undefined } | { readonly hash: string },
): Promise<void> {
  const hash = "hash" in session ? session.hash : session.secret && hashSecret(session.secret);
  if (hash) await database.deleteFrom("user_sessions").where("session_hash", "=", hash).execute();
}

/** Ends all sessions of a person. */
export async function endSessions(database: Pick<Database, "deleteFrom">, userId: string): Promise<void> {
  await database.deleteFrom("user_sessions").where("user_id", "=", userId).execute();
}

/**
 * Ends what lets in as a person beside the password: sessions, tokens, and links for a new password. Someone who has one of
 * an earlier time, as of a link that was asked for twice, would get in again.
 */
export async function endCredentials(
  transaction: DatabaseTransaction,
  { user_id: userId, email }: Pick<User, "user_id" | "email">,
  at: Date,
): Promise<void> {
  await endSessions(transaction, userId);
  await revokeUserTokens(transaction, userId, at);
  await transaction
    .updateTable("user_links")
    .set({ ended_at: at })
    .where("kind", "=", "password")
    .where("email", "=", email)
    .where("ended_at", "is", null)
    .execute();
}
