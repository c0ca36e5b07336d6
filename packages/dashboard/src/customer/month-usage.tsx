import type { AdminWallet, UsageSum } from "@creditgate/admin";
import { useState } from "react";
import { useAnswer } from "../api/query.ts";
import { type Month, monthOf, monthSumsQuery } from "../customers/queries.ts";
import { formatCount, formatCredits, fromMicro, sumOf, toMicro } from "../parts/amounts.ts";
import { Section } from "../parts/page.tsx";
import { bone, Loaded, Table } from "../parts/table.tsx";
import { formatDay } from "../parts/time.tsx";

/** What a customer has used of a currency this month: by day, and by agent and indicator. */
export function MonthUsage({ wallet }: { readonly wallet: AdminWallet }) {
  const [month] = useState(() => monthOf(new Date()));
  const { customerId, creditCurrencyKey } = wallet;
  const of = { customerId, creditCurrencyKey, from: month.from, to: month.to };
  const byDay = useAnswer(monthSumsQuery, { ...of, by: "day" });
  const byIndicator = useAnswer(monthSumsQuery, { ...of, by: "indicator" });
  const total = sumOf((byDay.data ?? []).map(({ credits }) => toMicro(credits)));
  return (
    <Section
      id="month"
      title={`Usage in ${month.name}`}
      end={
        byDay.isSuccess && (
          <span className="end">
            <b>{formatCredits(total)}</b> <span className="quiet">credits</span>
          </span>
        )
      }
    >
      <Loaded query={byDay} failure="The usage could not be loaded." pending={bone}>
        {(sums) =>
          sums.length === 0 ? (
            <p className="quiet small">No usage in {creditCurrencyKey} this month.</p>
          ) : (
            <MonthChart days={daysOf(sums, month)} total={total} />
          )
        }
      </Loaded>
      {byIndicator.isSuccess && byIndicator.data.length > 0 && <Shares sums={byIndicator.data} />}
    </Section>
  );
}

/** A day without usage is a day too. */
function daysOf(sums: readonly UsageSum[], { days }: Month): readonly DayUsed[] {
  return days.map((day) => {
    const own = sums.filter((sum) => sum.day === day);
    return { day, micro: sumOf(own.map(({ credits }) => toMicro(credits))) };
  });
}

/** What was used, by agent and indicator. */
function Shares({ sums }: { readonly sums: readonly UsageSum[] }) {
  return (
    <Table
      caption="Usage this month, by agent and indicator"
      rows={sums.toSorted((one, other) => other.credits - one.credits)}
      idOf={({ agentId, indicator }) => `${agentId} ${indicator}`}
      columns={(column) => [
        column("Agent, indicator", { isName: true, look: "breaks" }, ({ agentId, indicator }) => (
          <>
            {agentId} <span className="mono quiet">{indicator}</span>
          </>
        )),
        column("Reports", { isNumber: true }, ({ events }) => formatCount(events)),
        column("Credits", { isNumber: true }, ({ credits }) => formatCredits(credits)),
      ]}
    />
  );
}

/** What was used on a day, in micro-credits. */
interface DayUsed {
  readonly day: string;
  readonly micro: bigint;
}

const width = 340;
const floor = 79;
const tallest = 69;
const gap = 3;

/** A bar for each day; today's is paler, since it is not over. */
function MonthChart({ days, total }: { readonly days: readonly DayUsed[]; readonly total: bigint }) {
  const most = Math.max(...days.map(({ micro }) => fromMicro(micro)), 0);
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
        {days.map(({ day, micro }, index) => {
          const credits = fromMicro(micro);
          const height = most === 0 ? 0 : Math.max((credits / most) * tallest, credits > 0 ? 1 : 0);
          return (
            <g key={day} className={day === last.day ? "col part" : "col"}>
              <title>{`${formatDay(day)}: ${formatCredits(micro)} credits`}</title>
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
