import type { UsageSum } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { settlementQuery } from "../overview/queries.ts";
import { formatCount, formatGlance } from "../parts/amounts.ts";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { formatDuration, formatTime } from "../parts/time.tsx";
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
            <b>Settlement delayed.</b> Balances lag by as much. Gates account for unsettled usage, so nothing
            is overspent.
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
          name="Unsettled"
          unit={settlement?.waiting === 1 ? "report" : "reports"}
          detail="accepted, not debited yet"
        >
          {settlement && `${formatCount(settlement.waiting)}${settlement.more ? " or more" : ""}`}
        </Figure>
        <Figure
          name="Oldest unsettled"
          tone={settlement?.isLate === true ? "warn" : undefined}
          detail="late over 5 s"
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

const hourMs = 3_600_000;
const hours = 24;
const width = 1_140;
const height = 56;
const gap = 3;

/** Reports an hour over the last day, this hour's in the accent: how busy it is, beside how busy it was. */
function HoursStrip({ sums }: { readonly sums: readonly UsageSum[] | undefined }) {
  // Of the height of what comes.
  if (sums === undefined) return <span className="bone block strip" aria-hidden="true" />;
  const counts = hourly(sums, Date.now());
  const most = Math.max(...counts.map(({ events }) => events));
  const now = counts.at(-1)?.events ?? 0;
  const step = width / hours;
  return (
    <figure className="chart strip">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Reports per hour, last 24 hours: ${formatCount(now)} this hour, at most ${formatCount(most)}`}
      >
        {counts.map(({ at, events }, index) => {
          const tall = events === 0 ? 0 : Math.max(2, (events / most) * (height - 2));
          return (
            <g key={at} className="col">
              <title>{`${formatTime(new Date(at).toISOString())} UTC: ${formatCount(events)}`}</title>
              <rect className="band" x={index * step} y="0" width={step} height={height} />
              <rect
                className={index === hours - 1 ? "k-has" : "k3"}
                x={index * step}
                y={height - 1 - tall}
                width={step - gap}
                height={tall}
              />
            </g>
          );
        })}
        <path className="axis" d={`M0 ${height - 0.5}H${width}`} />
      </svg>
      <figcaption>
        Reports per hour, last 24 hours: <b>{formatCount(now)}</b> this hour, at most {formatCount(most)}
      </figcaption>
    </figure>
  );
}

/** An hour without usage has no sum. */
function hourly(
  sums: readonly UsageSum[],
  now: number,
): readonly { readonly at: number; readonly events: number }[] {
  const events = new Map<number, number>();
  for (const sum of sums) {
    const at = Date.parse(sum.hour ?? "");
    events.set(at, (events.get(at) ?? 0) + sum.events);
  }
  const last = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) => {
    const at = last - (hours - 1 - index) * hourMs;
    return { at, events: events.get(at) ?? 0 };
  });
}
