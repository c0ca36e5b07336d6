import type { AdminCustomer, CustomerListAnswer } from "@creditgate/admin";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useOrganizationId } from "../api/query.ts";
import { useSettled } from "../parts/hooks.ts";
import { customersQuery } from "./queries.ts";

/** As long as a person may pause between two letters. */
const typingMs = 150;
const mostFound = 6;

/** The first customers whose name, ID or email has words that begin so; one with exactly this ID stands before the others. */
export function useFoundCustomers(text: string): {
  readonly found: readonly AdminCustomer[];
  readonly isSearching: boolean;
} {
  const organizationId = useOrganizationId();
  const queryClient = useQueryClient();
  const search = useSettled(text, typingMs);
  const answer = useQuery({
    ...customersQuery(organizationId, { search }),
    enabled: search !== "" && organizationId !== "",
  });
  if (text === "") return { found: [], isSearching: false };
  // Until they have been asked for, all that the window remembers is shown: the answer for other letters takes nothing away.
  const isCurrent = search === text && answer.isSuccess && !answer.isPlaceholderData;
  const customers = isCurrent
    ? answer.data.customers
    : remembered(queryClient, organizationId).filter((customer) => begins(customer, text));
  const isExact = ({ externalId }: AdminCustomer) => Number(externalId === text);
  return {
    found: customers.toSorted((one, other) => isExact(other) - isExact(one)).slice(0, mostFound),
    isSearching: search !== text || answer.isFetching,
  };
}

/** Whether a word of its name, ID or email begins so, as the control plane searches. */
function begins({ name, externalId, email }: AdminCustomer, text: string): boolean {
  const words = [name, externalId, email]
    .join(" ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => word.startsWith(text.toLowerCase()));
}

/** The customers of all lists and searches that have been answered, each once. */
function remembered(queryClient: QueryClient, organizationId: string): readonly AdminCustomer[] {
  const answers = queryClient.getQueriesData<CustomerListAnswer>({ queryKey: ["customers", organizationId] });
  const customers = answers.flatMap(([, answer]) => answer?.customers ?? []);
  return [...new Map(customers.map((customer) => [customer.externalId, customer])).values()];
}
