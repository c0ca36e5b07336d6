import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { createLink, endLinksBy, linkPath } from "../people/links.ts";
import { endCredentials } from "../people/sessions.ts";
import type { Site } from "../people/site.ts";
import { lockUser, type User } from "../people/users.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["user_id", "uuid"],
]);

/** All accounts, for operators: who is one, who is shut out, and a way back for one who has lost the password. */
export function userHandlers(database: Database, site: Site) {
  return {
    async userList({ query }) {
      const users = database.selectFrom("users").selectAll();
      const { rows, next } = await readPart(users, byAge, listPart(query));
      return answer(200, { users: rows.map(described), next });
    },

    async userEdit(call) {
      const {
        at,
        visitor,
        params: { userId },
        body: { operator, disabled },
      } = call;
      if (visitor.person?.userId === userId.toLowerCase()) {
        throw new Problem(409, "own_account", "expected the account of another, received one's own");
      }
      const user = await database.transaction().execute(async (transaction) => {
        const before = await lockKnown(transaction, userId);
        const isShut = disabled ?? before.disabled_at !== null;
        const after = {
          ...before,
          is_operator: operator ?? before.is_operator,
          disabled_at: isShut ? (before.disabled_at ?? at) : null,
        };
        const { is_operator, disabled_at } = after;
        await transaction
          .updateTable("users")
          .set({ is_operator, disabled_at })
          .where("user_id", "=", userId)
          .execute();
        if (isShut) {
          await endCredentials(transaction, before, at);
          await endLinksBy(transaction, userId, at);
        }
        const change = { subject: before.email, before: record(before), after: record(after) };
        const what = { orgId: undefined, ...change, current: described(before) };
        await auditEdit(transaction, call, { action: "user.edit", ...what });
        return after;
      });
      return answer(200, described(user));
    },

    async userLink({ actor, visitor, at, params: { userId } }) {
      const { secret, link } = await database.transaction().execute(async (transaction) => {
        const { email } = await lockKnown(transaction, userId);
        await audit(transaction, { orgId: undefined, actor, action: "user.link", subject: email }, at);
        const maker = { createdBy: actor, makerId: visitor.person?.userId };
        return createLink(transaction, { kind: "password", email, ...maker }, at);
      });
      return answer(201, { link: site.address(linkPath(secret)), expiresAt: link.expires_at.toISOString() });
    },
  } satisfies Partial<AdminHandlers>;
}

async function lockKnown(transaction: DatabaseTransaction, userId: string): Promise<User> {
  const user = isUuid(userId) ? await lockUser(transaction, userId) : undefined;
  if (user === undefined) throw unknown("user", userId);
  return user;
}

function described(user: User): TaggedRecord {
  return tagged("user.edit", record(user));
}

function record(user: User): JsonObject {
  return {
    userId: user.user_id,
    email: user.email,
    name: user.name,
    operator: user.is_operator,
    disabled: user.disabled_at !== null,
    hasPassword: user.password_hash !== null,
    createdAt: user.created_at.toISOString(),
  };
}
