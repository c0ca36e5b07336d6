import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Icon } from "../parts/icon.tsx";

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
      <ul>
        <li>
          <Link to="/organizations/$organizationId/customers" {...shared}>
            <Icon name="customers" />
            Customers
          </Link>
        </li>
      </ul>
    </nav>
  );
}
