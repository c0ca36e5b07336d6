import type { UsageSum } from "@creditgate/admin";
import { formatCount } from "../parts/amounts.ts";
import { formatTime } from "../parts/time.tsx";

const hourMs = 3_600_000;
const hours = 24;
const width = 1_140;
const height = 56;
const gap = 3;

/** Reports an hour over the last day, this hour's in the accent: how busy it is, beside how busy it was. */
export function HoursStrip({ sums }: { readonly sums: readonly UsageSum[] | undefined }) {
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
        aria-label={`Reports an hour in the last 24 hours: ${formatCount(now)} in this one, at most ${formatCount(most)}`}
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
        Reports an hour, the last 24 hours; <b>{formatCount(now)}</b> in this one, {formatCount(most)} at most
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
