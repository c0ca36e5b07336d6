import type { AdminAccount, AdminOrganization, MemberRole, OrganizationAdmin } from "@creditgate/admin";
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { accountKey, admin, isSignedOut } from "./client.ts";

interface Asked {
  readonly signal: AbortSignal;
}

interface Terms {
  readonly refetchInterval?: number;
  readonly staleTime?: number;
  /** Shows the last answer until another one arrives. */
  readonly keepsLast?: boolean;
}

const kept: object = { placeholderData: keepPreviousData };

/** A query of an organisation. Its key is its name, the organisation, and what it is asked with. */
export function organizationQuery<Args extends readonly unknown[], Answer>(
  name: string,
  ask: (organization: OrganizationAdmin, options: Asked, ...args: Args) => Promise<Answer>,
  { keepsLast = false, ...terms }: Terms = {},
) {
  return (organizationId: string, ...args: Args) =>
    queryOptions({
      queryKey: [name, organizationId, ...args],
      queryFn: ({ signal }) => ask(admin.organization(organizationId), { signal }, ...args),
      enabled: organizationId !== "",
      ...(keepsLast ? kept : {}),
      ...terms,
    });
}

/** A list of an organisation that grows part by part. */
export function growingQuery<
  Args extends readonly unknown[],
  Part extends { readonly next: string | null },
  Row,
>(
  name: string,
  ask: (
    organization: OrganizationAdmin,
    options: Asked,
    cursor: string | undefined,
    ...args: Args
  ) => Promise<Part>,
  rowsOf: (part: Part) => readonly Row[],
) {
  return (organizationId: string, ...args: Args) =>
    infiniteQueryOptions({
      queryKey: [name, organizationId, ...args],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam, signal }) =>
        ask(admin.organization(organizationId), { signal }, pageParam, ...args),
      getNextPageParam: ({ next }) => next ?? undefined,
      select: ({ pages }) => pages.flatMap(rowsOf),
    });
}

/** The answer of a query for the organisation of the page. */
export function useAnswer<Args extends readonly unknown[], Answer>(
  query: ReturnType<typeof organizationQuery<Args, Answer>>,
  ...args: NoInfer<Args>
) {
  return useQuery(query(useOrganizationId(), ...args));
}

/** Who has signed in; `null` if nobody has. If a session ends, its account is kept beside the error. */
export const accountQuery = queryOptions({
  queryKey: accountKey,
  staleTime: 60_000,
  async queryFn({ client, signal }): Promise<AdminAccount | null> {
    try {
      return await admin.account.read({ signal });
    } catch (error) {
      if (isSignedOut(error) && !client.getQueryData<AdminAccount | null>(accountKey)) return null;
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
