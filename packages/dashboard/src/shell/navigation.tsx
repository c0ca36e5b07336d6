import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Icon, type IconName } from "../parts/icon.tsx";

/** A page in the list: its address, its drawing and its name. */
interface Entry {
  readonly to: "/organizations/$organizationId/customers";
  readonly icon: IconName;
  readonly name: string;
}

interface Group {
  /** What the group is called; the first has no name. */
  readonly title?: string;
  readonly entries: readonly Entry[];
}

/** In the order of the design: overview, customers, usage, orders; set up; organisation. */
const groups: readonly Group[] = [
  {
    entries: [{ to: "/organizations/$organizationId/customers", icon: "customers", name: "Customers" }],
  },
];

/** The pages that there are. */
export function Navigation({
  label,
  onLeave,
}: {
  readonly label: string;
  readonly onLeave?: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const shared = {
    params: { organizationId },
    activeProps: { "aria-current": "page" },
    ...(onLeave === undefined ? {} : { onClick: onLeave }),
  } as const;
  return (
    <nav className="nav" aria-label={label}>
      {groups.map(({ title, entries }) => (
        <div key={title ?? ""}>
          {title !== undefined && <h2>{title}</h2>}
          <ul>
            {entries.map(({ to, icon, name }) => (
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
