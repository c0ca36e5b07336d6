import type { ReactNode } from "react";
import { formatCredits } from "../parts/credits.ts";
import { formatDay } from "../parts/time.tsx";

/** What was used on a day, in credits. */
export interface DayUsed {
  readonly day: string;
  readonly credits: number;
}

const width = 340;
const floor = 79;
const tallest = 69;
const gap = 3;

/** A bar for each day; today's is paler, since it is not over. */
export function MonthChart({
  days,
  total,
}: {
  readonly days: readonly DayUsed[];
  readonly total: number;
}): ReactNode {
  const most = Math.max(...days.map(({ credits }) => credits), 0);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  // A month of 31 days has the width: on its second day the bars are not half of it.
  const band = width / Math.max(days.length, 10);
  const middle = days[Math.floor((days.length - 1) / 2)];
  return (
    <figure className="chart month">
      <svg
        viewBox={`0 0 ${width} 96`}
        role="img"
        aria-label={`Credits used a day, ${formatDay(first.day)} to today: ${formatCredits(total)} in all, at most ${formatCredits(most)} a day`}
      >
        <path className="axis" d={`M0 ${floor + 0.5}H${width}`} />
        {days.map(({ day, credits }, index) => {
          const height = most === 0 ? 0 : Math.max((credits / most) * tallest, credits > 0 ? 1 : 0);
          return (
            <g key={day} className={day === last.day ? "col part" : "col"}>
              <title>{`${formatDay(day)}: ${formatCredits(credits)} credits`}</title>
              <rect className="band" x={index * band} y="0" width={band} height={floor} />
              <rect
                className="k2"
                x={index * band + gap / 2}
                y={floor - height}
                width={Math.max(band - gap, 1)}
                height={height}
                rx="1.5"
              />
            </g>
          );
        })}
        <text x="0" y="93">
          {formatDay(first.day)}
        </text>
        {days.length > 10 && middle !== undefined && (
          <text x={width / 2} y="93" textAnchor="middle">
            {formatDay(middle.day)}
          </text>
        )}
        {days.length > 2 && (
          <text x={days.length * band} y="93" textAnchor="end">
            Today
          </text>
        )}
      </svg>
    </figure>
  );
}
