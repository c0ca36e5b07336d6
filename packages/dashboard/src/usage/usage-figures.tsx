import type { UsageSum } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { settlementQuery } from "../overview/settlement.ts";
import { formatCount, formatGlance } from "../parts/amounts.ts";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { formatDuration } from "../parts/time.tsx";
import { HoursStrip } from "./hours-strip.tsx";
import { lastHoursQuery, type UsageSearch, usageFilter } from "./queries.ts";

/** What was used in the last day, and what waits to be settled. */
export function UsageFigures({ search }: { readonly search: UsageSearch }) {
  const { data: hours } = useAnswer(lastHoursQuery, usageFilter(search));
  const { data: settlement, dataUpdatedAt } = useAnswer(settlementQuery);
  const reports = hours?.sums.reduce((sum, { events }) => sum + events, 0);
  const [most, ...others] = byCurrency(hours?.sums ?? []);
  const waitsMs =
    settlement === undefined || settlement.dueSince === null
      ? 0
      : Math.max(0, dataUpdatedAt - Date.parse(settlement.dueSince));
  return (
    <>
      {settlement?.isLate === true && (
        <p className="note warn">
          <Icon name="warning" />
          <span className="grow-text">
            <b>Settling late.</b> Balances run behind by as much. Gates remember what is not settled, so
            nothing is overspent.
          </span>
        </p>
      )}
      <dl className="figures four">
        <Figure name="Reports" detail="in the last 24 hours">
          {reports === undefined ? undefined : formatCount(reports)}
        </Figure>
        <Figure
          name="Credits"
          unit={most?.currency}
          detail={
            others.length === 0
              ? "in the last 24 hours"
              : `and ${others.length} more ${others.length === 1 ? "currency" : "currencies"}`
          }
        >
          {hours === undefined ? undefined : formatGlance(most?.credits ?? 0)}
        </Figure>
        <Figure
          name="Waiting"
          unit={settlement?.waiting === 1 ? "report" : "reports"}
          detail="accepted, and due"
        >
          {settlement && `${formatCount(settlement.waiting)}${settlement.more ? " or more" : ""}`}
        </Figure>
        <Figure
          name="Oldest waits"
          tone={settlement?.isLate === true ? "warn" : undefined}
          detail="late above 5 s"
        >
          {settlement && (settlement.dueSince === null ? "—" : formatDuration(waitsMs))}
        </Figure>
      </dl>
      <HoursStrip sums={hours?.sums} />
    </>
  );
}

function byCurrency(
  sums: readonly UsageSum[],
): readonly { readonly currency: string; readonly credits: number }[] {
  const credits = new Map<string, number>();
  for (const { creditCurrencyKey: currency, credits: more } of sums)
    if (currency !== null) credits.set(currency, (credits.get(currency) ?? 0) + more);
  return [...credits]
    .map(([currency, all]) => ({ currency, credits: all }))
    .toSorted((one, other) => other.credits - one.credits);
}
