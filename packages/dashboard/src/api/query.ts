import type { OrganizationAdmin } from "@creditgate/admin";
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "./account.ts";
import { admin } from "./client.ts";

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
