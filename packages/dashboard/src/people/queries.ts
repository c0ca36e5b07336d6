import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import type { QueryKeys } from "../api/edit.ts";

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).members.list({ signal }),
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).members.invitations({ signal }),
  });

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

/** What a change of the people of an organisation makes untrue: one may have changed oneself. */
export function peopleKeys(organizationId: string): QueryKeys {
  return [["members", organizationId], ["invitations", organizationId], ["users"], ["account"]];
}

/** A link for one person, to be shown this once. */
export interface OneTime {
  readonly link: string;
  readonly email: string;
  readonly expiresAt: string;
}
