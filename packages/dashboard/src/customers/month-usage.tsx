import type { AdminWallet, UsageSum } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { formatCount, formatCredits, fromMicro, toMicro } from "../parts/credits.ts";
import { Failure } from "../parts/failure.tsx";
import { type Month, monthOf } from "./month.ts";
import { type DayUsed, MonthChart } from "./month-chart.tsx";
import { monthSumsQuery } from "./queries.ts";

/** What a customer has used of a currency this month: by day, and by agent and indicator. */
export function MonthUsage({ wallet }: { readonly wallet: AdminWallet }): ReactNode {
  const organizationId = useOrganizationId();
  const [month] = useState(() => monthOf(new Date()));
  const { customer_id: customerId, credit_currency_key: currency } = wallet;
  const of = { organizationId, customerId, currency, month };
  const byDay = useQuery(monthSumsQuery({ ...of, by: "day" }));
  const byIndicator = useQuery(monthSumsQuery({ ...of, by: "indicator" }));
  const total = fromMicro((byDay.data ?? []).reduce((sum, { credits }) => sum + toMicro(credits), 0));
  return (
    <section className="section" aria-labelledby="month">
      <header>
        <h2 id="month">Used in {month.name}</h2>
        {byDay.isSuccess && (
          <span className="end">
            <b>{formatCredits(total)}</b> <span className="quiet">credits</span>
          </span>
        )}
      </header>
      {byDay.isError && (
        <Failure
          error={byDay.error}
          what="The usage could not be loaded."
          onRetry={() => void byDay.refetch()}
        />
      )}
      {byDay.isPending && <div className="bone block" />}
      {byDay.isSuccess && byDay.data.length === 0 && (
        <p className="quiet small">Nothing yet. The first report of usage in {currency} comes here.</p>
      )}
      {byDay.isSuccess && byDay.data.length > 0 && (
        <MonthChart days={daysOf(byDay.data, month)} total={total} />
      )}
      {byIndicator.isSuccess && byIndicator.data.length > 0 && <Shares sums={byIndicator.data} />}
    </section>
  );
}

/** A day without usage is a day too. */
function daysOf(sums: readonly UsageSum[], { days }: Month): readonly DayUsed[] {
  return days.map((day) => {
    const micro = sums
      .filter((sum) => sum.day === day)
      .reduce((all, { credits }) => all + toMicro(credits), 0);
    return { day, credits: fromMicro(micro) };
  });
}

/** Who used it. */
function Shares({ sums }: { readonly sums: readonly UsageSum[] }): ReactNode {
  const sorted = [...sums].sort((one, other) => other.credits - one.credits);
  return (
    <table>
      <caption className="unseen">Used this month, by agent and indicator</caption>
      <thead>
        <tr>
          <th scope="col">Agent, indicator</th>
          <th scope="col" className="r">
            Reports
          </th>
          <th scope="col" className="r">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ agentId, indicator, events, credits }) => (
          <tr key={`${agentId} ${indicator}`}>
            <th scope="row" className="breaks">
              {agentId} <span className="mono quiet">{indicator}</span>
            </th>
            <td className="r">{formatCount(events)}</td>
            <td className="r">{formatCredits(credits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
