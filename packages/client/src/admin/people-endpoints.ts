import { changes, type Endpoint, ensures, reads } from "../endpoint.ts";
import type {
  OidcCallbackQuery,
  PasswordChangeRequest,
  SignInRequest,
  UserTokenCreateRequest,
} from "./contract/account.ts";
import type { InvitationCreateRequest, LinkReadRequest, LinkUseRequest } from "./contract/link.ts";
import type { PartQuery } from "./contract/part.ts";
import type { MemberEditRequest, OperatorInviteRequest, UserEditRequest } from "./contract/user.ts";

/** The operations on people: how they sign in, and what they may do. */
export interface PeopleEndpoints {
  readonly signInWays: Endpoint<undefined, undefined>;
  readonly signIn: Endpoint<SignInRequest, undefined>;
  readonly oidcStart: Endpoint<undefined, undefined>;
  readonly oidcCallback: Endpoint<undefined, OidcCallbackQuery>;
  readonly linkRead: Endpoint<LinkReadRequest, undefined>;
  readonly linkUse: Endpoint<LinkUseRequest, undefined>;
  readonly accountRead: Endpoint<undefined, undefined>;
  readonly signOut: Endpoint<undefined, undefined>;
  readonly signOutEverywhere: Endpoint<undefined, undefined>;
  readonly passwordChange: Endpoint<PasswordChangeRequest, undefined>;
  readonly userTokenList: Endpoint<undefined, PartQuery>;
  readonly userTokenCreate: Endpoint<UserTokenCreateRequest, undefined>;
  readonly userTokenRevoke: Endpoint<undefined, undefined, "token_id">;
  readonly memberList: Endpoint<undefined, PartQuery>;
  readonly memberEdit: Endpoint<MemberEditRequest, undefined, "user_id">;
  readonly memberRemove: Endpoint<undefined, undefined, "user_id">;
  readonly invitationList: Endpoint<undefined, PartQuery>;
  readonly invitationCreate: Endpoint<InvitationCreateRequest, undefined>;
  readonly invitationRevoke: Endpoint<undefined, undefined, "invitation_id">;
  readonly userList: Endpoint<undefined, PartQuery>;
  readonly userEdit: Endpoint<UserEditRequest, undefined, "user_id">;
  readonly userLink: Endpoint<undefined, undefined, "user_id">;
  readonly operatorInvitationList: Endpoint<undefined, PartQuery>;
  readonly operatorInvite: Endpoint<OperatorInviteRequest, undefined>;
  readonly operatorInvitationRevoke: Endpoint<undefined, undefined, "invitation_id">;
}

const base = "/admin/api";
const organization = `${base}/organizations/{organization_id}`;
const member = `${organization}/members/{user_id}`;
const user = `${base}/users/{user_id}`;

export const peopleEndpoints: PeopleEndpoints = {
  signInWays: reads("signInWays", `${base}/sign-in`),
  signIn: changes("signIn", `${base}/sign-in`),
  oidcStart: reads("oidcStart", `${base}/oidc/start`),
  oidcCallback: reads("oidcCallback", `${base}/oidc/callback`),
  linkRead: ensures("linkRead", `${base}/links/read`),
  linkUse: changes("linkUse", `${base}/links/use`),
  accountRead: reads("accountRead", `${base}/account`),
  signOut: ensures("signOut", `${base}/account/sign-out`),
  signOutEverywhere: ensures("signOutEverywhere", `${base}/account/sign-out-everywhere`),
  passwordChange: changes("passwordChange", `${base}/account/password`),
  userTokenList: reads("userTokenList", `${base}/account/tokens`),
  userTokenCreate: changes("userTokenCreate", `${base}/account/tokens`),
  userTokenRevoke: ensures("userTokenRevoke", `${base}/account/tokens/{token_id}/revoke`),
  memberList: reads("memberList", `${organization}/members`),
  memberEdit: ensures("memberEdit", member),
  memberRemove: changes("memberRemove", `${member}/remove`),
  invitationList: reads("invitationList", `${organization}/invitations`),
  invitationCreate: changes("invitationCreate", `${organization}/invitations`),
  invitationRevoke: changes("invitationRevoke", `${organization}/invitations/{invitation_id}/revoke`),
  userList: reads("userList", `${base}/users`),
  userEdit: ensures("userEdit", user),
  userLink: changes("userLink", `${user}/link`),
  operatorInvitationList: reads("operatorInvitationList", `${base}/operators/invitations`),
  operatorInvite: changes("operatorInvite", `${base}/operators`),
  operatorInvitationRevoke: changes(
    "operatorInvitationRevoke",
    `${base}/operators/invitations/{invitation_id}/revoke`,
  ),
};
