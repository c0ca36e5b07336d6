import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Icon } from "./icon.tsx";

/** The list as a file, with the filters that are set: the browser loads it by itself. */
export function CsvLink({
  list,
  query,
  base,
  of,
  isSmall = false,
}: {
  /** The list of the admin API, such as `invoices`. */
  readonly list: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Where the list is. @default the organisation */
  readonly base?: string;
  /** What is in the file, for those who do not see where the link stands. */
  readonly of?: string;
  readonly isSmall?: boolean;
}): ReactNode {
  const organizationId = useOrganizationId();
  const filters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const search = filters.length === 0 ? "" : `?${new URLSearchParams(filters)}`;
  return (
    <a
      className={isSmall ? "btn sm" : "btn"}
      href={`${base ?? `/admin/api/organizations/${organizationId}`}/${list}.csv${search}`}
      download
    >
      <Icon name="down" />
      CSV{of !== undefined && <span className="unseen"> of {of}</span>}
    </a>
  );
}
