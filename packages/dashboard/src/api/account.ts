import type { AdminAccount, AdminOrganization, MemberRole } from "@creditgate/admin";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { accountKey, admin, isSignedOut } from "./client.ts";

/** Who has signed in; `null` where no one has. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  staleTime: 60_000,
  async queryFn({ signal }): Promise<AdminAccount | null> {
    try {
      return await admin.account.read({ signal });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
});

/** The organisations that one may see. */
export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  staleTime: 60_000,
  queryFn: ({ signal }): Promise<readonly AdminOrganization[]> => admin.organizations.list({ signal }),
});

/** The organisation in the address of the page. */
export function useOrganizationId(): string {
  const { organizationId } = useParams({ strict: false });
  return organizationId ?? "";
}

/** The admin API of the organisation of the page. */
export function useOrganization() {
  return admin.organization(useOrganizationId());
}

/** What takes a role, and who has it: as the control plane has it. */
const sufficient: Readonly<Record<MemberRole, readonly string[]>> = {
  read: ["read", "money", "keys", "owner"],
  money: ["money", "owner"],
  keys: ["keys", "owner"],
  owner: ["owner"],
};

export function mayIn(
  account: AdminAccount | null | undefined,
  organizationId: string,
  role: MemberRole,
): boolean {
  if (account === null || account === undefined) return false;
  if (account.operator) return true;
  const own = account.organizations.find((one) => one.organizationId === organizationId)?.roles ?? [];
  return own.some((name) => sufficient[role].includes(name));
}

/** Whether the person may do what takes this role: no button is shown that the control plane would refuse. */
export function useMay(role: MemberRole): boolean {
  const { data } = useQuery(accountQuery);
  return mayIn(data, useOrganizationId(), role);
}
