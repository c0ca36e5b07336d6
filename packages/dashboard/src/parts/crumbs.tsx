import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";

/** The list that a page is of, and the page. */
export function Crumbs({
  list,
  to,
  name,
}: {
  readonly list: string;
  readonly to:
    | "/organizations/$organizationId/customers"
    | "/organizations/$organizationId/orders"
    | "/organizations/$organizationId/webhooks";

  readonly name: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <Link to={to} params={{ organizationId }}>
        {list}
      </Link>
      <span aria-hidden="true">/</span>
      <span aria-current="page">{name}</span>
    </nav>
  );
}
