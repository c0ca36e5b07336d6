import type { Database } from "../database/connection.ts";
import { createKeyset, readPart } from "../database/keyset.ts";
import { lockOrganization } from "../database/organization-lock.ts";
import { answer } from "../http/call.ts";
import type { JsonObject } from "../http/json.ts";
import { listPart } from "../http/list.ts";
import { Problem } from "../http/problem.ts";
import { isUuid, unknown } from "../http/references.ts";
import { createLink, type Link, linkPath, working } from "../people/links.ts";
import type { Site } from "../people/site.ts";
import { audit } from "./audit-log.ts";
import type { AdminHandlers } from "./table.ts";

const mostInvitations = 200;

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["link_id", "uuid"],
]);

/** People who are invited to an organisation. We send no mail: who invites hands the link over. */
export function invitationHandlers(
  database: Database,
  site: Site,
): Pick<AdminHandlers, "invitationList" | "invitationCreate" | "invitationRevoke"> {
  return {
    async invitationList({ orgId, query, at }) {
      const invitations = working(database, at).where("org_id", "=", orgId);
      const { rows, next } = await readPart(invitations, byAge, listPart(query));
      return answer(200, { invitations: rows.map(record), next });
    },

    async invitationCreate({ orgId, actor, at, body: { email, roles } }) {
      const { secret, link } = await database.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, orgId);
        const { waiting } = await transaction
          .selectFrom("user_links")
          .select(({ fn }) => fn.countAll<bigint>().as("waiting"))
          .where("org_id", "=", orgId)
          .where("ended_at", "is", null)
          .where("expires_at", ">", at)
          .executeTakeFirstOrThrow();
        if (Number(waiting) >= mostInvitations) {
          const detail = `expected at most ${mostInvitations} invitations that wait, received another`;
          throw new Problem(422, "too_many_invitations", detail);
        }
        const terms = { kind: "invitation", email, orgId, roles, createdBy: actor } as const;
        const created = await createLink(transaction, terms, at);
        const change = { subject: email, after: record(created.link) };
        await audit(transaction, { orgId, actor, action: "invitation.create", ...change }, at);
        return created;
      });
      return answer(201, { ...record(link), link: site.address(linkPath(secret)) });
    },

    async invitationRevoke({ orgId, actor, at, params: { invitation_id: id } }) {
      if (!isUuid(id)) throw unknown("invitation", id);
      const link = await database.transaction().execute(async (transaction) => {
        const found = await working(transaction, at)
          .where("org_id", "=", orgId)
          .where("link_id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (found === undefined) throw unknown("invitation", id);
        await transaction.updateTable("user_links").set({ ended_at: at }).where("link_id", "=", id).execute();
        const change = { subject: found.email, before: record(found) };
        await audit(transaction, { orgId, actor, action: "invitation.revoke", ...change }, at);
        return found;
      });
      return answer(200, record(link));
    },
  };
}

function record({ link_id, email, roles, created_by, created_at, expires_at }: Link): JsonObject {
  return {
    invitationId: link_id,
    email: email ?? "",
    roles,
    createdBy: created_by,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  };
}
