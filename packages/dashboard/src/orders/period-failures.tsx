import { organizationQuery, useAnswer } from "../api/query.ts";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Day } from "../parts/time.tsx";

const periodFailuresQuery = organizationQuery("period-failures", ({ unbilled }, options) =>
  unbilled.periodFailures.list({ limit: 5 }, options),
);

/** Periods that could not be invoiced, and why; absent where there are none. */
export function PeriodFailures() {
  const { data } = useAnswer(periodFailuresQuery);
  if (data === undefined || data.failures.length === 0) return null;
  return (
    <div className="note warn" role="status">
      <Icon name="warning" />
      <div>
        <b>Periods could not be invoiced.</b> They are tried again; nothing is lost.
        <ul className="plain">
          {data.failures.map((failure) => (
            <li key={`${failure.customerId} ${failure.creditCurrencyKey}`}>
              {failure.customerId === null ? "All wallets" : <CustomerLink customerId={failure.customerId} />}
              {failure.creditCurrencyKey !== null && (
                <>
                  , <span className="mono">{failure.creditCurrencyKey}</span>
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
