import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { organizationQuery } from "../api/query.ts";

export const membersQuery = organizationQuery("members", ({ members }, options) => members.list(options));

export const invitationsQuery = organizationQuery("invitations", ({ members }, options) =>
  members.invitations(options),
);

/** All accounts, for operators. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => admin.users.list({ signal }),
});

export const operatorInvitationsQuery = queryOptions({
  queryKey: ["operator-invitations"],
  queryFn: ({ signal }) => admin.users.operatorInvitations({ signal }),
});

/** One's own tokens. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => admin.account.tokens.list({ signal }),
});

/** The queries that a change of the people of an organisation makes untrue: one may have changed oneself. */
export const peopleQueries = ["members", "invitations", "users", "account"];
