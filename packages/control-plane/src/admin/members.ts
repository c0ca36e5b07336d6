import type { MemberRole } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { lockOrganization } from "../database/locks.ts";
import { answer } from "../endpoint/call.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const byAge = createKeyset("asc", [
  ["members.created_at", "timestamptz"],
  ["members.user_id", "uuid"],
]);

/** The people of an organisation, and what each of them may do. */
export function memberHandlers(database: Database) {
  return {
    async memberList({ orgId, query }) {
      const { rows, next } = await readPart(selectMembers(database, orgId), byAge, listPart(query));
      return answer(200, { members: rows.map(record), next });
    },

    async memberEdit(call) {
      const {
        orgId,
        visitor,
        params: { userId },
        body: { roles },
      } = call;
      const member = await database.transaction().execute(async (transaction) => {
        const before = await lockMember(transaction, orgId, userId);
        const after = { ...before, roles: [...roles] };
        if (!roles.includes("owner") && !visitor.isOperator)
          await requireAnotherOwner(transaction, orgId, before);
        await transaction
          .updateTable("members")
          .set({ roles: after.roles })
          .where("org_id", "=", orgId)
          .where("user_id", "=", before.user_id)
          .execute();
        const change = { before: { roles: before.roles }, after: { roles: after.roles } };
        const what = { orgId, subject: before.email, ...change, current: record(before) };
        await auditEdit(transaction, call, { action: "member.edit", ...what });
        return after;
      });
      return answer(200, record(member));
    },

    async memberRemove({ orgId, actor, at, visitor, params: { userId } }) {
      const member = await database.transaction().execute(async (transaction) => {
        const before = await lockMember(transaction, orgId, userId);
        if (!visitor.isOperator) await requireAnotherOwner(transaction, orgId, before);
        await transaction
          .deleteFrom("members")
          .where("org_id", "=", orgId)
          .where("user_id", "=", before.user_id)
          .execute();
        const change = { subject: before.email, before: before.roles };
        await audit(transaction, { orgId, actor, action: "member.remove", ...change }, at);
        return before;
      });
      return answer(200, record(member));
    },
  } satisfies Partial<AdminHandlers>;
}

interface MemberRow {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly roles: MemberRole[];
  readonly created_at: Date;
  readonly disabled_at: Date | null;
}

function selectMembers(database: Pick<Database, "selectFrom">, orgId: bigint) {
  return database
    .selectFrom("members")
    .innerJoin("users", "users.user_id", "members.user_id")
    .select(["members.user_id", "email", "name", "roles", "members.created_at", "disabled_at"])
    .where("org_id", "=", orgId);
}

async function lockMember(
  transaction: DatabaseTransaction,
  orgId: bigint,
  userId: string,
): Promise<MemberRow> {
  // One change of an organisation's members after the other: two owners who remove each other at once would leave none.
  await lockOrganization(transaction, orgId);
  const found = isUuid(userId)
    ? await selectMembers(transaction, orgId).where("members.user_id", "=", userId).executeTakeFirst()
    : undefined;
  if (found === undefined) throw unknown("user", userId);
  return found;
}

/** An organisation without an owner is one that only operators can mend. */
async function requireAnotherOwner(
  transaction: DatabaseTransaction,
  orgId: bigint,
  { user_id: userId, roles }: MemberRow,
): Promise<void> {
  if (!roles.includes("owner")) return;
  const other = await selectMembers(transaction, orgId)
    .where("members.user_id", "<>", userId)
    .where("disabled_at", "is", null)
    .where(({ val, eb }) => eb(val("owner"), "=", eb.fn.any("roles")))
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) return;
  throw new Problem(409, "last_owner", "expected another owner to stay, received a change of the last one");
}

function record({ user_id: userId, email, name, roles, created_at, disabled_at }: MemberRow): TaggedRecord {
  return tagged("member.edit", {
    userId,
    email,
    name,
    roles,
    createdAt: created_at.toISOString(),
    disabled: disabled_at !== null,
  });
}
