import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type CreatedInvitation,
  createdInvitation,
  type Invitation,
  type InvitationCreateRequest,
  invitation,
  invitationCreateRequest,
  invitationListAnswer,
} from "../contract/link.ts";
import { partQuery } from "../contract/part.ts";
import {
  type Member,
  type MemberEditRequest,
  member,
  memberEditRequest,
  memberListAnswer,
} from "../contract/user.ts";
import { collected, createListing } from "../listing.ts";
import { peopleEndpoints } from "../people-endpoints.ts";

/** The people of an organisation, and what each of them may do. */
export interface Members {
  /** All of them, the first to join first. Retried. */
  list(options?: CallOptions): Promise<readonly Member[]>;
  /** Sets the roles of a member; 409 `last_owner` where no owner would stay. Retried. */
  edit(userId: string, roles: MemberEditRequest, options?: CallOptions): Promise<Member>;
  /** Removes a member; 409 `last_owner` where no owner would stay. Never retried once sent. */
  remove(userId: string, options?: CallOptions): Promise<Member>;
  /** Those who are invited and have not come yet, the oldest first. Retried. */
  invitations(options?: CallOptions): Promise<readonly Invitation[]>;
  /** Invites a person: the link is shown this once, and is for that one to use. Never retried once sent. */
  invite(invitation: InvitationCreateRequest, options?: CallOptions): Promise<CreatedInvitation>;
  /** Takes an invitation back. Never retried once sent. */
  revokeInvitation(invitationId: string, options?: CallOptions): Promise<Invitation>;
}

export function createMembers(transport: Transport, organization_id: string): Members {
  const params = { organization_id };
  const { memberList, memberEdit, memberRemove } = peopleEndpoints;
  const { invitationList, invitationCreate, invitationRevoke } = peopleEndpoints;
  const members = createListing(transport, params, {
    endpoint: memberList,
    query: partQuery,
    answer: memberListAnswer,
    itemsOf: (part) => part.members,
  });
  const invitations = createListing(transport, params, {
    endpoint: invitationList,
    query: partQuery,
    answer: invitationListAnswer,
    itemsOf: (part) => part.invitations,
  });
  return {
    list: (options) => collected(members.all({ limit: 100 }, options)),
    async edit(userId, roles, options) {
      const body = checkInput(memberEdit, memberEditRequest, roles);
      const path = checkPath(memberEdit, { ...params, user_id: userId });
      return call(transport, memberEdit, member, { params: path, body }, options);
    },
    async remove(userId, options) {
      const path = checkPath(memberRemove, { ...params, user_id: userId });
      return call(transport, memberRemove, member, { params: path }, options);
    },
    invitations: (options) => collected(invitations.all({ limit: 100 }, options)),
    invite: posting(transport, params)(invitationCreate, invitationCreateRequest, createdInvitation),
    async revokeInvitation(invitationId, options) {
      const path = checkPath(invitationRevoke, { ...params, invitation_id: invitationId });
      return call(transport, invitationRevoke, invitation, { params: path }, options);
    },
  };
}
