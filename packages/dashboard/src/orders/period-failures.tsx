import { queryOptions, useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { Icon } from "../parts/icon.tsx";
import { Day } from "../parts/time.tsx";
import { CustomerLink } from "./links.tsx";

const periodFailuresQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["period-failures", organizationId],
    queryFn: ({ signal }) =>
      admin.organization(organizationId).unbilled.periodFailures.list({ limit: 5 }, { signal }),
  });

/** Periods that could not be invoiced, and why; absent where there are none. */
export function PeriodFailures() {
  const { data } = useQuery(periodFailuresQuery(useOrganizationId()));
  if (data === undefined || data.failures.length === 0) return null;
  return (
    <div className="note warn" role="status">
      <Icon name="warning" />
      <div>
        <b>Periods could not be invoiced.</b> They are tried again; nothing is lost.
        <ul className="plain">
          {data.failures.map((failure) => (
            <li key={`${failure.customer_id} ${failure.credit_currency_key}`}>
              {failure.customer_id === null ? (
                "All wallets"
              ) : (
                <CustomerLink customerId={failure.customer_id} />
              )}
              {failure.credit_currency_key !== null && (
                <>
                  , <span className="mono">{failure.credit_currency_key}</span>
                </>
              )}
              , <Day at={failure.failedAt} />: {failure.message}
            </li>
          ))}
        </ul>
        {data.next !== null && "There are more: the admin API lists them."}
      </div>
    </div>
  );
}
