import type { MemberRole } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { accountQuery, mayIn, useOrganizationId } from "../api/query.ts";
import type { IconName } from "../parts/icon.tsx";

/** A page in the list: its address, its drawing and its name. */
export interface Entry {
  readonly to: `/organizations/$organizationId/${Page}`;
  readonly icon: IconName;
  readonly name: string;
  /** What follows `g` on the keyboard. */
  readonly letter?: string | undefined;
  /** Whose page it is; all see the others. */
  readonly role?: MemberRole;
}

type Page =
  | ("overview" | "customers" | "budgets" | "usage" | "orders" | "books" | "agents" | "gates" | "keys")
  | ("webhooks" | "people" | "audit" | "account" | "start");

export function entry(page: Page, icon: IconName, name: string, letter?: string): Entry {
  return { to: `/organizations/$organizationId/${page}`, icon, name, letter };
}

export interface Group {
  /** What the group is called; the first has no name. */
  readonly title?: string;
  readonly entries: readonly Entry[];
}

/** In the order of the design: overview, customers, budgets, usage, orders, and their books; set up; organisation. */
export const groups: readonly Group[] = [
  {
    entries: [
      entry("overview", "overview", "Overview", "o"),
      entry("customers", "customers", "Customers", "c"),
      entry("budgets", "budget", "Budgets", "d"),
      entry("usage", "usage", "Usage", "u"),
      entry("orders", "invoice", "Orders and invoices", "i"),
      entry("books", "books", "Books", "b"),
    ],
  },
  {
    title: "Set up",
    entries: [
      entry("agents", "agent", "Agents and prices", "a"),
      entry("gates", "gate", "Gates", "g"),
      entry("keys", "key", "API keys", "k"),
      entry("webhooks", "webhook", "Webhooks", "w"),
    ],
  },
  {
    title: "Organization",
    entries: [
      { ...entry("people", "person", "Users and roles", "p"), role: "owner" },
      entry("audit", "log", "Audit log", "l"),
      entry("account", "account", "Your account", "y"),
    ],
  },
];

/** The pages that one may see, as they stand in the navigation. */
export function useJumpPages() {
  const organizationId = useOrganizationId();
  const { data: account } = useQuery(accountQuery);
  if (organizationId === "") return [];
  return groups
    .flatMap(({ entries }) => entries)
    .filter(({ role }) => role === undefined || mayIn(account, organizationId, role));
}
