import type { PeopleEndpoints } from "@creditgate/client/admin";
import {
  invitationCreateRequest,
  linkReadRequest,
  linkUseRequest,
  memberEditRequest,
  oidcCallbackQuery,
  operatorInviteRequest,
  partQuery,
  passwordChangeRequest,
  signInRequest,
  userEditRequest,
  userTokenCreateRequest,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type PeopleTable = { readonly [Of in keyof PeopleEndpoints]: AdminServed & Readers<PeopleEndpoints[Of]> };

const query = { schema: partQuery };

/** What may be done about people, and what it takes. */
export const peopleTable: PeopleTable = {
  signInWays: { scope: "anyone" },
  signIn: { scope: "anyone", countsAttempts: true, body: { schema: signInRequest } },
  oidcStart: { scope: "anyone" },
  oidcCallback: { scope: "anyone", query: { schema: oidcCallbackQuery } },
  linkRead: { scope: "anyone", body: { schema: linkReadRequest } },
  linkUse: { scope: "anyone", body: { schema: linkUseRequest } },
  accountRead: { scope: "user" },
  signOut: { scope: "session" },
  signOutEverywhere: { scope: "session" },
  passwordChange: { scope: "session", body: { schema: passwordChangeRequest } },
  userTokenList: { scope: "session", query },
  // A token that could make another would outlive its end.
  userTokenCreate: { scope: "session", body: { schema: userTokenCreateRequest } },
  userTokenRevoke: { scope: "session" },
  memberList: { scope: "owner", query },
  memberEdit: { scope: "owner", body: { schema: memberEditRequest } },
  memberRemove: { scope: "owner" },
  invitationList: { scope: "owner", query },
  invitationCreate: { scope: "owner", body: { schema: invitationCreateRequest } },
  invitationRevoke: { scope: "owner" },
  userList: { scope: "operator", query },
  userEdit: { scope: "operator", body: { schema: userEditRequest } },
  userLink: { scope: "operator" },
  operatorInvitationList: { scope: "operator", query },
  operatorInvite: { scope: "operator", body: { schema: operatorInviteRequest } },
  operatorInvitationRevoke: { scope: "operator" },
};
