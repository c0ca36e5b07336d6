import type { MemberRole } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { accountQuery, mayIn, useOrganizationId } from "../api/account.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { firstUsageQuery } from "../start/queries.ts";

/** A page in the list: its address, its drawing and its name. */
export interface Entry {
  readonly to:
    | "/organizations/$organizationId/overview"
    | "/organizations/$organizationId/customers"
    | "/organizations/$organizationId/usage"
    | "/organizations/$organizationId/orders"
    | "/organizations/$organizationId/books"
    | "/organizations/$organizationId/gates"
    | "/organizations/$organizationId/webhooks"
    | "/organizations/$organizationId/people"
    | "/organizations/$organizationId/audit"
    | "/organizations/$organizationId/account"
    | "/organizations/$organizationId/agents"
    | "/organizations/$organizationId/keys"
    | "/organizations/$organizationId/start";
  readonly icon: IconName;
  readonly name: string;
  /** Whose page it is; all see the others. */
  readonly role?: MemberRole;
}

interface Group {
  /** What the group is called; the first has no name. */
  readonly title?: string;
  readonly entries: readonly Entry[];
}

/** In the order of the design: overview, customers, usage, orders, and their books; set up; organisation. */
export const groups: readonly Group[] = [
  {
    entries: [
      { to: "/organizations/$organizationId/overview", icon: "overview", name: "Overview" },
      { to: "/organizations/$organizationId/customers", icon: "customers", name: "Customers" },
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

/** Until the first request has arrived. At the end, since it is known late: nothing moves when it comes. */
const start: Group = {
  entries: [{ to: "/organizations/$organizationId/start", icon: "start", name: "Get started" }],
};

/** The pages that there are. */
export function Navigation({
  label,
  onLeave,
}: {
  readonly label: string;
  readonly onLeave?: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { data: account } = useQuery(accountQuery);
  const { data: firstUsage } = useQuery({
    ...firstUsageQuery(organizationId),
    enabled: organizationId !== "",
  });
  const shown = firstUsage === null ? [...groups, start] : groups;
  const shared = {
    params: { organizationId },
    activeProps: { "aria-current": "page" },
    ...(onLeave === undefined ? {} : { onClick: onLeave }),
  } as const;
  return (
    <nav className="nav" aria-label={label}>
      {shown.map(({ title, entries }) => (
        <div key={title ?? entries[0]?.name}>
          {title !== undefined && <h2>{title}</h2>}
          <ul>
            {entries
              .filter(({ role }) => role === undefined || mayIn(account, organizationId, role))
              .map(({ to, icon, name }) => (
                <li key={to}>
                  <Link to={to} {...shared}>
                    <Icon name={icon} />
                    {name}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
