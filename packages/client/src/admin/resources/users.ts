import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type CreatedInvitation,
  type CreatedLink,
  createdInvitation,
  createdLink,
  type Invitation,
  invitation,
  invitationListAnswer,
} from "../contract/link.ts";
import { partQuery } from "../contract/part.ts";
import {
  type AdminUser,
  adminUser,
  type OperatorInviteRequest,
  operatorInviteRequest,
  type UserEditRequest,
  userEditRequest,
  userListAnswer,
} from "../contract/user.ts";
import { collected, createListing } from "../listing.ts";
import { peopleEndpoints } from "../people-endpoints.ts";

/** All accounts of people, for operators. */
export interface Users {
  /** All of them, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminUser[]>;
  /** Makes an operator, or shuts an account out; 409 `own_account` for one's own. Retried. */
  edit(userId: string, changes: UserEditRequest, options?: CallOptions): Promise<AdminUser>;
  /** A link for a new password: shown this once, and for that person to use. Never retried once sent. */
  link(userId: string, options?: CallOptions): Promise<CreatedLink>;
  /** Invites another operator: the link is shown this once. Never retried once sent. */
  inviteOperator(operator: OperatorInviteRequest, options?: CallOptions): Promise<CreatedInvitation>;
  /** Operators who are invited and have not come yet, the oldest first. Retried. */
  operatorInvitations(options?: CallOptions): Promise<readonly Invitation[]>;
  /** Revokes the invitation of an operator. Never retried once sent. */
  revokeOperatorInvitation(invitationId: string, options?: CallOptions): Promise<Invitation>;
}

export function createUsers(transport: Transport): Users {
  const { userList, userEdit, userLink } = peopleEndpoints;
  const { operatorInvite, operatorInvitationList, operatorInvitationRevoke } = peopleEndpoints;
  const users = createListing(transport, undefined, {
    endpoint: userList,
    query: partQuery,
    answer: userListAnswer,
    itemsOf: (part) => part.users,
  });
  const invitations = createListing(transport, undefined, {
    endpoint: operatorInvitationList,
    query: partQuery,
    answer: invitationListAnswer,
    itemsOf: (part) => part.invitations,
  });
  return {
    list: (options) => collected(users.all({ limit: 100 }, options)),
    async edit(userId, changes, options) {
      const body = checkInput(userEdit, userEditRequest, changes);
      const params = checkPath(userEdit, { user_id: userId });
      return call(transport, userEdit, adminUser, { params, body }, options);
    },
    async link(userId, options) {
      const params = checkPath(userLink, { user_id: userId });
      return call(transport, userLink, createdLink, { params }, options);
    },
    inviteOperator: posting(transport)(operatorInvite, operatorInviteRequest, createdInvitation),
    operatorInvitations: (options) => collected(invitations.all({ limit: 100 }, options)),
    async revokeOperatorInvitation(invitationId, options) {
      const params = checkPath(operatorInvitationRevoke, { invitation_id: invitationId });
      return call(transport, operatorInvitationRevoke, invitation, { params }, options);
    },
  };
}
