import type { MemberRole } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { accountQuery, mayIn, useOrganizationId } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import type { IconName } from "../parts/icon.tsx";

/** What follows `g` on the keyboard, by the last part of a page's address. */
const letters = {
  overview: "o",
  customers: "c",
  budgets: "d",
  usage: "u",
  orders: "i",
  books: "b",
  agents: "a",
  gates: "g",
  keys: "k",
  webhooks: "w",
  people: "p",
  audit: "l",
  account: "y",
} as const;

/** A page in the list: its address, its drawing and its name. */
export interface Entry {
  readonly to: `/organizations/$organizationId/${keyof typeof letters | "start"}`;
  readonly icon: IconName;
  readonly name: string;
  /** Whose page it is; all see the others. */
  readonly role?: MemberRole;
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
      { to: "/organizations/$organizationId/overview", icon: "overview", name: "Overview" },
      { to: "/organizations/$organizationId/customers", icon: "customers", name: "Customers" },
      { to: "/organizations/$organizationId/budgets", icon: "budget", name: "Budgets" },
      { to: "/organizations/$organizationId/usage", icon: "usage", name: "Usage" },
      { to: "/organizations/$organizationId/orders", icon: "invoice", name: "Orders and invoices" },
      { to: "/organizations/$organizationId/books", icon: "books", name: "Books" },
    ],
  },
  {
    title: "Set up",
    entries: [
      { to: "/organizations/$organizationId/agents", icon: "agent", name: "Agents and prices" },
      { to: "/organizations/$organizationId/gates", icon: "gate", name: "Gates" },
      { to: "/organizations/$organizationId/keys", icon: "key", name: "API keys" },
      { to: "/organizations/$organizationId/webhooks", icon: "webhook", name: "Webhooks" },
    ],
  },
  {
    title: "Organization",
    entries: [
      {
        to: "/organizations/$organizationId/people",
        icon: "person",
        name: "Users and roles",
        role: "owner",
      },
      { to: "/organizations/$organizationId/audit", icon: "log", name: "Audit log" },
      { to: "/organizations/$organizationId/account", icon: "account", name: "Your account" },
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
    .filter(({ role }) => role === undefined || mayIn(account, organizationId, role))
    .map((entry) => {
      const page = keyOf(letters, entry.to.slice(entry.to.lastIndexOf("/") + 1));
      return { ...entry, letter: page && letters[page] };
    });
}
