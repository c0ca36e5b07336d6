import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { checkPassword } from "../people/password-rules.ts";
import type { People } from "../people/people.ts";
import type { Person, Visitor } from "../people/person.ts";
import { endCredentials, isLive, startSession } from "../people/sessions.ts";
import { generateSecret, hashSecret } from "../people/user-tokens.ts";
import { lockUser } from "../people/users.ts";
import { signedIn } from "./account.ts";
import type { AdminHandlers } from "./table.ts";

const day = 24 * 60 * 60 * 1_000;
const usualDays = 90;
const mostDays = 366;
const mostTokens = 50;

type TokenRow = Omit<Selectable<Tables["user_tokens"]>, "token_hash" | "user_id">;

const columns = ["token_id", "name", "created_at", "expires_at", "revoked_at", "used_at"] as const;

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["token_id", "uuid"],
]);

/** One's own password, and the tokens that may do what one may oneself. */
export function ownAccountHandlers(database: Database, { site, passwords, limits }: People) {
  return {
    async passwordChange({ visitor, at, body: { currentPassword, newPassword } }) {
      const { userId, email, session } = personOf(visitor);
      checkPassword(newPassword, email, "/newPassword");
      // One who has found an open browser must not guess either.
      limits.begin(email, visitor.address, session?.hash);
      const { password_hash: stored } = await database
        .selectFrom("users")
        .select("password_hash")
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      if (!(await passwords.verify(stored, currentPassword))) {
        throw new Problem(
          403,
          "password_wrong",
          "currentPassword: expected that of the account, received another",
        );
      }
      limits.forgive(email, visitor.address, session?.hash);
      const hash = await passwords.hash(newPassword);
      const secret = await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("users")
          .set({ password_hash: hash })
          .where("user_id", "=", userId)
          .where("password_hash", "=", stored)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          throw new Problem(
            409,
            "password_changed",
            "expected a password that stays, which another request has changed",
          );
        }
        await endCredentials(transaction, { user_id: userId, email }, at);
        const who = { orgId: undefined, actor: `user:${email}` };
        await audit(transaction, { ...who, action: "user.password", subject: email }, at);
        return startSession(transaction, userId, at);
      });
      return signedIn(database, site, { secret, storedPassword: hash }, at);
    },

    async userTokenList({ visitor, query }) {
      const tokens = database
        .selectFrom("user_tokens")
        .select(columns)
        .where("user_id", "=", personOf(visitor).userId);
      const { rows, next } = await readPart(tokens, byAge, listPart(query));
      return answer(200, { tokens: rows.map(record), next });
    },

    async userTokenCreate({ visitor, at, body: { name, expiresAt } }) {
      const { userId, email, session } = personOf(visitor);
      const ends = expiresAt === undefined ? new Date(at.getTime() + usualDays * day) : new Date(expiresAt);
      if (ends <= at || ends.getTime() > at.getTime() + mostDays * day) {
        const detail = `expected an instant in the next ${mostDays} days, received ${JSON.stringify(expiresAt)}`;
        throw invalid([{ pointer: "/expiresAt", detail }]);
      }
      const token = generateSecret("cgu_");
      const row = await database.transaction().execute(async (transaction) => {
        await lockUser(transaction, userId);
        // A change of the password has ended it meanwhile, and all tokens: this one would outlive that.
        if (!(await isLive(transaction, session))) throw sessionEnded();
        const { live } = await transaction
          .selectFrom("user_tokens")
          .select(({ fn }) => fn.countAll<bigint>().as("live"))
          .where("user_id", "=", userId)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", at)
          .executeTakeFirstOrThrow();
        if (Number(live) >= mostTokens) {
          throw new Problem(
            422,
            "too_many_tokens",
            `expected at most ${mostTokens} tokens that are valid, received another`,
          );
        }
        const created = await transaction
          .insertInto("user_tokens")
          .values({
            token_hash: hashSecret(token),
            token_id: randomUUID(),
            user_id: userId,
            name,
            created_at: at,
            expires_at: ends,
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        const who = { orgId: undefined, actor: `user:${email}` };
        const change = { subject: created.token_id, after: record(created) };
        await audit(transaction, { ...who, action: "user_token.create", ...change }, at);
        return created;
      });
      return answer(201, { ...record(row), token });
    },

    async userTokenRevoke({ visitor, at, params: { tokenId } }) {
      const { userId, email } = personOf(visitor);
      if (!isUuid(tokenId)) throw unknown("user_token", tokenId);
      const row = await database.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("user_tokens")
          .select(columns)
          .where("user_id", "=", userId)
          .where("token_id", "=", tokenId)
          .forUpdate()
          .executeTakeFirst();
        if (before === undefined) throw unknown("user_token", tokenId);
        if (before.revoked_at !== null) return before;
        await transaction
          .updateTable("user_tokens")
          .set({ revoked_at: at })
          .where("token_id", "=", tokenId)
          .execute();
        const after = { ...before, revoked_at: at };
        const who = { orgId: undefined, actor: `user:${email}` };
        const change = { subject: tokenId, before: record(before), after: record(after) };
        await audit(transaction, { ...who, action: "user_token.revoke", ...change }, at);
        return after;
      });
      return answer(200, record(row));
    },
  } satisfies Partial<AdminHandlers>;
}

function sessionEnded(): Problem {
  return new Problem(401, "unauthorized", "expected a session, received one that has ended");
}

/** The scope `session` lets no one else in. */
function personOf({ person }: Visitor): Person {
  if (person === undefined) throw new TypeError("The route is not one of those of a person.");
  return person;
}

function record({
  token_id: tokenId,
  name,
  created_at,
  expires_at,
  revoked_at,
  used_at,
}: TokenRow): JsonObject {
  return {
    tokenId,
    name,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    revokedAt: revoked_at?.toISOString() ?? null,
    lastUsedAt: used_at?.toISOString() ?? null,
  };
}
