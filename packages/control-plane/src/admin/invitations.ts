import type { InvitationCreateRequest, PartQuery } from "@creditgate/admin";
import type { Endpoint } from "@creditgate/client";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { lockOrganization } from "../database/locks.ts";
import { answer, type Call } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { createLink, type Link, linkPath, working } from "../people/links.ts";
import type { People } from "../people/people.ts";
import type { AdminHandlers } from "./table.ts";

const mostInvitations = 200;

const byAge = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["link_id", "uuid"],
]);

/**
 * People who are invited to an organisation, or to be operators. We send no mail: the person who invites hands the link
 * over.
 */
export function invitationHandlers(database: Database, { site, tokenNames }: People) {
  async function list(place: Place, { query, at }: { readonly query: PartQuery; readonly at: Date }) {
    const { rows, next } = await readPart(invited(database, place, at), byAge, listPart(query));
    return answer(200, { invitations: rows.map(record), next });
  }

  async function create(
    place: Place,
    { email, roles }: InvitationCreateRequest,
    { actor, visitor, at }: Pick<Call<Endpoint>, "actor" | "visitor" | "at">,
  ) {
    const { secret, link } = await database.transaction().execute(async (transaction) => {
      if (place !== undefined) await lockOrganization(transaction, place);
      const { waiting } = await invited(transaction, place, at)
        .clearSelect()
        .select(({ fn }) => fn.countAll<bigint>().as("waiting"))
        .executeTakeFirstOrThrow();
      if (Number(waiting) >= mostInvitations) {
        const detail = `expected at most ${mostInvitations} pending invitations, received another`;
        throw new Problem(422, "too_many_invitations", detail);
      }
      const maker = { createdBy: actor, makerId: visitor.person?.userId };
      const to = place === undefined ? { isOperator: true } : { orgId: place, roles };
      const created = await createLink(transaction, { kind: "invitation", email, ...to, ...maker }, at);
      const change = { subject: email, after: { ...record(created.link), operator: place === undefined } };
      await audit(transaction, { orgId: place, actor, action: "invitation.create", ...change }, at);
      return created;
    });
    return answer(201, { ...record(link), link: site.address(linkPath(secret)) });
  }

  async function revoke(place: Place, id: string, { actor, at }: Pick<Call<Endpoint>, "actor" | "at">) {
    if (!isUuid(id)) throw unknown("invitation", id);
    const link = await database.transaction().execute(async (transaction) => {
      const found = await invited(transaction, place, at)
        .where("link_id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      if (found === undefined) throw unknown("invitation", id);
      await transaction.updateTable("user_links").set({ ended_at: at }).where("link_id", "=", id).execute();
      const change = { subject: found.email, before: record(found) };
      await audit(transaction, { orgId: place, actor, action: "invitation.revoke", ...change }, at);
      return found;
    });
    return answer(200, record(link));
  }

  /** Invitations that still work. */
  function invited(from: Pick<Database, "selectFrom">, place: Place, at: Date) {
    const links = working(from, { at, tokenNames }).where("kind", "=", "invitation");
    return place === undefined ? links.where("is_operator", "=", true) : links.where("org_id", "=", place);
  }

  return {
    invitationList: (call) => list(call.orgId, call),
    invitationCreate: (call) => create(call.orgId, call.body, call),
    invitationRevoke: (call) => revoke(call.orgId, call.params.invitationId, call),
    operatorInvitationList: (call) => list(undefined, call),
    operatorInvite: (call) => create(undefined, { ...call.body, roles: [] }, call),
    operatorInvitationRevoke: (call) => revoke(undefined, call.params.invitationId, call),
  } satisfies Partial<AdminHandlers>;
}

/** The organisation that an invitation is to; `undefined` for those of operators. */
type Place = bigint | undefined;

function record({ link_id: linkId, email, roles, created_by, created_at, expires_at }: Link): JsonObject {
  return {
    invitationId: linkId,
    email: email ?? "",
    roles,
    createdBy: created_by,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  };
}
