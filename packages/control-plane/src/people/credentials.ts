import type { DatabaseTransaction } from "../database/connection.ts";
import { endSessions } from "./sessions.ts";
import { revokeUserTokens } from "./user-tokens.ts";
import type { User } from "./users.ts";

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
