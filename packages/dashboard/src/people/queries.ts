import type { AdminUser, Invitation, Member, UserToken } from "@creditgate/client/admin";
import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: ({ signal }): Promise<readonly Member[]> =>
      admin.organization(organizationId).members.list({ signal }),
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }): Promise<readonly Invitation[]> =>
      admin.organization(organizationId).members.invitations({ signal }),
  });

/** All accounts, for operators. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }): Promise<readonly AdminUser[]> => admin.users.list({ signal }),
});

export const operatorInvitationsQuery = queryOptions({
  queryKey: ["operator-invitations"],
  queryFn: ({ signal }): Promise<readonly Invitation[]> => admin.users.operatorInvitations({ signal }),
});

/** One's own tokens. */
export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }): Promise<readonly UserToken[]> => admin.account.tokens.list({ signal }),
});

/** What a change of the people of an organisation makes untrue: one may have changed oneself. */
export function peopleKeys(organizationId: string): readonly (readonly string[])[] {
  return [["members", organizationId], ["invitations", organizationId], ["users"], ["account"]];
}
