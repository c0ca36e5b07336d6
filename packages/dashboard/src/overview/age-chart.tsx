import type { SettlementAgesAnswer } from "@creditgate/admin";
import { max } from "d3-array";
import { scaleSymlog, scaleTime } from "d3-scale";
import { area, line } from "d3-shape";
import { useWidth } from "../parts/hooks.ts";
import { LegendKey } from "../parts/legend.tsx";
import { formatDuration } from "../parts/time.tsx";
import { describeTime } from "./chart.ts";

const height = 190;
const margin = { top: 8, bottom: 22, left: 40, right: 4 };
const lateMs = 5_000;

/** What may stand at the axis. */
const steps = [1, 5, 20, 60, 300, 1_200, 3_600, 14_400, 86_400].map((seconds) => seconds * 1_000);

/** How long settlement took, over the last day. Equal steps are equal ratios: a second and an hour are both seen. */
export function AgeChart({ settlement }: { readonly settlement: SettlementAgesAnswer }) {
  const [ref, width] = useWidth<HTMLElement>();
  return (
    <figure className="chart age-chart" ref={ref}>
      {width > 0 && <Lines settlement={settlement} width={width} />}
    </figure>
  );
}

function Lines({
  settlement: { from, to, ages },
  width,
}: {
  readonly settlement: SettlementAgesAnswer;
  readonly width: number;
}) {
  const bottom = height - margin.bottom;
  const slowestMs = max(ages, ({ p95Ms }) => p95Ms) ?? 0;
  // The top is a line of the grid: none is left over above it.
  const most = steps.find((step) => step >= Math.max(lateMs, slowestMs)) ?? slowestMs;
  const x = scaleTime([new Date(from), new Date(to)], [margin.left, width - margin.right]);
  const y = scaleSymlog([0, most], [bottom, margin.top]).constant(1_000);
  const at = ({ at: time }: { readonly at: string }) => x(new Date(time));
  const slowest = line<(typeof ages)[number]>(at, ({ p95Ms }) => y(p95Ms));
  const median = line<(typeof ages)[number]>(at, ({ medianMs }) => y(medianMs));
  const below = area<(typeof ages)[number]>(at, bottom, ({ p95Ms }) => y(p95Ms));
  const last = ages.at(-1);
  const isLate = last !== undefined && last.p95Ms > lateMs;
  const ticks = steps.filter((step) => step <= most && step !== lateMs);
  const shown = ticks.filter((_, index) => ticks.length <= 4 || index % 2 === 0);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={describe(ages)}
    >
      <path className="axis" d={`M${margin.left} ${bottom}H${width - margin.right}`} />
      <text x={margin.left - 8} y={bottom + 4} textAnchor="end">
        0
      </text>
      {shown.map((tick) => (
        <g key={tick}>
          <path className="grid" d={`M${margin.left} ${y(tick)}H${width - margin.right}`} />
          <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
            {formatDuration(tick)}
          </text>
        </g>
      ))}
      <path className="mark" d={`M${margin.left} ${y(lateMs)}H${width - margin.right}`} />
      <text x={margin.left - 8} y={y(lateMs) + 4} textAnchor="end">
        5 s
      </text>
      <path className="l2" d={median(ages) ?? ""} />
      <path className="fill1" d={below(ages) ?? ""} />
      <path className="l1" d={slowest(ages) ?? ""} />
      {last !== undefined && (
        <circle className={isLate ? "dot" : "dot fine"} cx={at(last)} cy={y(last.p95Ms)} r="4">
          <title>{`${formatDuration(last.p95Ms)} since ${describeTime(last.at, "hour")} UTC`}</title>
        </circle>
      )}
      {[0, 6, 12, 18].map((hours) => {
        const time = new Date(Date.parse(from) + hours * 3_600_000);
        return (
          <text key={hours} x={x(time)} y={height - 4} textAnchor={hours === 0 ? "start" : "middle"}>
            {describeTime(time.toISOString(), "hour")}
          </text>
        );
      })}
      <text x={width - margin.right} y={height - 4} textAnchor="end">
        now
      </text>
    </svg>
  );
}

function describe(ages: SettlementAgesAnswer["ages"]): string {
  const last = ages.at(-1);
  const most = max(ages, ({ p95Ms }) => p95Ms);
  if (last === undefined || most === undefined) return "Settlement lag over 24 hours: no usage.";
  return `Settlement lag over 24 hours: p95 ${formatDuration(last.p95Ms)} now, at most ${formatDuration(most)}.`;
}

/** What the lines mean. */
export function AgeLegend() {
  return (
    <ul className="legend">
      <LegendKey isLine look="l1">
        p95
      </LegendKey>
      <LegendKey isLine look="l2">
        median
      </LegendKey>
      <LegendKey isLine look="mark">
        late over 5 s
      </LegendKey>
    </ul>
  );
}
