import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { accountQuery, mayIn, useOrganizationId } from "../api/query.ts";
import { entry, type Group, groups } from "../jump/pages.ts";
import { Icon } from "../parts/icon.tsx";
import { firstUsageQuery } from "../start/queries.ts";

/** Until the first request has arrived. At the end, since it is known late: nothing moves when it comes. */
const start: Group = {
  entries: [entry("start", "start", "Get started")],
};

/** The pages that there are. */
export function Navigation({ label, onLeave }: { readonly label: string; readonly onLeave?: () => void }) {
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
