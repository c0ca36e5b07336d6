import { hash, randomBytes } from "node:crypto";
import type { Database } from "../database/connection.ts";
import { useResolutionMs } from "../time/clock.ts";
import { type Person, personOf } from "./person.ts";

/** The prefix of a secret shows what it opens. Secret scanners find it by the prefix. */
type SecretPrefix = "cgs_" | "cgu_" | "cgl_" | "cgf_";

/** Of a session, a token of a user, a one-time link, a sign-in under way: 256 random bits. */
export function generateSecret(prefix: SecretPrefix): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

/** What is stored of a secret. It needs no salt and no effort: 256 bits are not guessed. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

/** Whether it can be a secret of ours; what cannot is not looked for. */
export function isSecret(text: string | undefined, prefix: SecretPrefix): text is string {
  return text?.length === prefix.length + 43 && text.startsWith(prefix);
}

/** Whose token it is that has not ended; notes that it is used, unless it is only looked at. */
export async function findUserToken(
  database: Database,
  token: string,
  at: Date,
  isUse = true,
): Promise<Person | undefined> {
  if (!isSecret(token, "cgu_")) return undefined;
  const hash = hashSecret(token);
  const found = await database
    .selectFrom("user_tokens as token")
    .innerJoin("users", "users.user_id", "token.user_id")
    .select(["users.user_id", "email", "users.name", "password_hash", "is_operator"])
    .select(["token.name as token_name", "used_at", "expires_at"])
    .where("token_hash", "=", hash)
    .where("revoked_at", "is", null)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (found === undefined || found.expires_at <= at) return undefined;
  const isStale = found.used_at === null || found.used_at.getTime() + useResolutionMs <= at.getTime();
  if (isUse && isStale) {
    await database.updateTable("user_tokens").set({ used_at: at }).where("token_hash", "=", hash).execute();
  }
  return personOf(found, { session: undefined, tokenName: found.token_name });
}

/** Ends all tokens of a person. */
export async function revokeUserTokens(
  database: Pick<Database, "updateTable">,
  userId: string,
  at: Date,
): Promise<void> {
  await database
    .updateTable("user_tokens")
    .set({ revoked_at: at })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}
