import type { UsageSeriesAnswer } from "@creditgate/admin";
import { max } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { type Series, stack } from "d3-shape";
import { formatCompact, formatCredits, formatGlance, fromMicro, sumOf } from "../parts/amounts.ts";
import { useWidth } from "../parts/hooks.ts";
import { LegendKey } from "../parts/legend.tsx";
import { Table } from "../parts/table.tsx";
import { type Band, bandsOf, describeTime, shortened, tickEvery } from "./chart.ts";

const height = { wide: 352, narrow: 248 };
const margin = { top: 8, bottom: 22, left: 38 };
/** What the names beside the last bar take. */
const labelWidth = 112;
/** Below it the names stand in a legend. */
const narrowWidth = 560;

/** Credits over time, in stacked bars. The last one is paler: its day, or hour, is not over. */
export function UsageChart({ usage }: { readonly usage: UsageSeriesAnswer }) {
  const [ref, width] = useWidth<HTMLElement>();
  const bands = bandsOf(usage);
  const isNarrow = width > 0 && width < narrowWidth;
  return (
    <>
      <figure className={`chart usage-chart${isNarrow ? " is-narrow" : ""}`} ref={ref}>
        {width > 0 && <Bars usage={usage} bands={bands} width={width} isNarrow={isNarrow} />}
      </figure>
      {isNarrow && <Legend bands={bands} />}
      <Numbers usage={usage} bands={bands} />
    </>
  );
}

function totalOf(bands: readonly Band[], index: number): bigint {
  return sumOf(bands.map(({ values }) => values[index] ?? 0n));
}

interface BarsProps {
  readonly usage: UsageSeriesAnswer;
  readonly bands: readonly Band[];
  readonly width: number;
  readonly isNarrow: boolean;
}

function Bars({ usage, bands, width, isNarrow }: BarsProps) {
  const { times, unit } = usage;
  const whole = isNarrow ? height.narrow : height.wide;
  const bottom = whole - margin.bottom;
  const right = width - (isNarrow ? 0 : labelWidth);
  const totals = times.map((_, index) => totalOf(bands, index));
  const x = scaleBand<number>(
    times.map((_, index) => index),
    [margin.left, right],
  ).padding(0.3);
  const y = scaleLinear([0, max(totals, fromMicro) || 1], [bottom, margin.top]).nice(4);
  const layers = stack<number, string>()
    .keys(bands.map(({ key }) => key))
    .value((index, key) => fromMicro(bands.find((band) => band.key === key)?.values[index] ?? 0n))(
    times.map((_, index) => index),
  );
  const every = tickEvery(unit, times.length, (right - margin.left) / (isNarrow ? 62 : 76));
  const last = times.length - 1;
  return (
    <svg
      viewBox={`0 0 ${width} ${whole}`}
      width={width}
      height={whole}
      role="img"
      aria-label={describe(usage, totals)}
    >
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <path className={tick === 0 ? "axis" : "grid"} d={`M${margin.left} ${y(tick)}H${right}`} />
          <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {times.map((time, index) =>
        (last - index) % every === 0 ? (
          <text
            key={time}
            x={(x(index) ?? 0) + x.bandwidth() / 2}
            y={whole - 4}
            textAnchor={index === last ? "end" : "middle"}
            dx={index === last ? x.bandwidth() / 2 + 3 : 0}
          >
            {index === last ? (unit === "hour" ? "now" : "Today") : describeTime(time, unit)}
          </text>
        ) : null,
      )}
      {times.map((time, index) => (
        <g key={time} className={index === last ? "part" : undefined}>
          {layers.map((layer, number) => {
            const [from = 0, to = 0] = layer[index] ?? [];
            // A pixel is left between two bands.
            const tall = y(from) - y(to) - (number === 0 ? 0 : 1);
            return (
              tall > 0 && (
                <rect
                  key={layer.key}
                  className={bands[number]?.look}
                  x={x(index)}
                  y={y(to)}
                  width={x.bandwidth()}
                  height={tall}
                />
              )
            );
          })}
        </g>
      ))}
      {/* After all bars: what one says is drawn above the others. */}
      {times.map((time, index) => (
        <g key={time} className="col">
          <rect
            className="band"
            x={(x(index) ?? 0) - (x.step() - x.bandwidth()) / 2}
            y={margin.top}
            width={x.step()}
            height={bottom - margin.top}
          />
          <BarTip
            title={describeTime(time, unit, true)}
            bands={bands}
            index={index}
            total={totals[index] ?? 0n}
            x={(x(index) ?? 0) + x.bandwidth() + 6}
            left={(x(index) ?? 0) - 6}
            right={width}
          />
        </g>
      ))}
      {!isNarrow && (
        <Labels bands={bands} layers={layers} y={y} x={right + 10} totals={totals} bottom={bottom} />
      )}
    </svg>
  );
}

function describe(
  { unit, by, times, total, creditCurrencyKey }: UsageSeriesAnswer,
  totals: readonly bigint[],
): string {
  const least = formatGlance(Math.min(...totals.map(fromMicro)));
  const most = formatGlance(Math.max(...totals.map(fromMicro)));
  return (
    `Credits used in ${creditCurrencyKey} by ${by}, ${times.length} ${unit}s: ` +
    `${formatGlance(total.credits)} in all; lowest ${least}, highest ${most} in one ${unit}.`
  );
}

/** The names beside the last whole bar, each at its band, as far as there is room. */
function Labels({
  bands,
  layers,
  y,
  x,
  totals,
  bottom,
}: {
  readonly bands: readonly Band[];
  readonly layers: readonly Series<number, string>[];
  readonly y: (value: number) => number;
  readonly x: number;
  readonly totals: readonly bigint[];
  readonly bottom: number;
}) {
  const room = 34;
  // The running one may have nothing yet.
  const beside = Math.max(0, totals.length - 2);
  let lowest = bottom - 4;
  const places = bands.map((_, index) => {
    const [from = 0, to = 0] = layers[index]?.[beside] ?? [];
    const middle = Math.min((y(from) + y(to)) / 2 + 8, lowest);
    lowest = middle - room;
    return middle;
  });
  // What does not fit above moves the others down.
  const over = Math.max(0, margin.top + 22 - (places.at(-1) ?? bottom));
  return bands.map(({ key, name, look, credits }, index) => {
    const at = (places[index] ?? 0) + over;
    return (
      <g key={key}>
        <rect className={look} x={x} y={at - 19} width="3" height="24" rx="1.5" />
        <text x={x + 8} y={at - 9}>
          {shortened(name)}
          <title>{name}</title>
        </text>
        <text className="on" x={x + 8} y={at + 4}>
          {formatGlance(credits)}
        </text>
      </g>
    );
  });
}

function Legend({ bands }: { readonly bands: readonly Band[] }) {
  return (
    <ul className="legend">
      {bands.map(({ key, name, look, credits }) => (
        <LegendKey key={key} look={look}>
          {shortened(name, 28)} <b>{formatGlance(credits)}</b>
        </LegendKey>
      ))}
    </ul>
  );
}

/** The same in numbers, the newest first. */
function Numbers({ usage, bands }: { usage: UsageSeriesAnswer; bands: readonly Band[] }) {
  const { times, unit } = usage;
  const rows = times.map((time, index) => ({ time, index })).reverse();
  return (
    <details className="data">
      <summary>Show as a table</summary>
      <div className="scroll">
        <Table
          rows={rows}
          idOf={({ time }) => time}
          columns={(column) => [
            column(`${unit === "hour" ? "Hour" : "Day"}, UTC`, { isName: true }, ({ time }) =>
              describeTime(time, unit, true),
            ),
            ...bands.map(({ name, values }) =>
              column(
                <span title={name}>{shortened(name, 24)}</span>,
                { isNumber: true, look: ({ index }) => (values[index] === 0n ? "zero" : "") },
                ({ index }) => formatCredits(values[index] ?? 0n),
              ),
            ),
            column("Credits", { isNumber: true }, ({ index }) => (
              <b>{formatCredits(totalOf(bands, index))}</b>
            )),
          ]}
        />
      </div>
    </details>
  );
}

const width = 190;
const line = 16;

interface BarTipProps {
  readonly title: string;
  readonly bands: readonly Band[];
  readonly index: number;
  readonly total: bigint;
  readonly x: number;
  readonly left: number;
  readonly right: number;
}

/** What a bar says when a pointer is on it: shown by CSS, and drawn right of it, or left where there is no room. */
function BarTip({ title, bands, index, total, x, left, right }: BarTipProps) {
  const start = x + width > right ? Math.max(0, left - width) : x;
  // In the order of the bar, from its top.
  const shown = [...bands].reverse();
  const last = 48 + shown.length * line + 2;
  return (
    <g className="tip">
      <rect className="box" x={start} y="10" width={width} height={last + 2} rx="8" />
      <text className="on" x={start + 12} y="30">
        {title}
      </text>
      {shown.map(({ key, name, look, values }, row) => (
        <g key={key}>
          <rect className={look} x={start + 12} y={40 + row * line} width="8" height="8" rx="2" />
          <text x={start + 26} y={48 + row * line}>
            {shortened(name, 15)}
          </text>
          <text className="on" x={start + width - 12} y={48 + row * line} textAnchor="end">
            {formatCredits(values[index] ?? 0n)}
          </text>
        </g>
      ))}
      <text x={start + 12} y={last}>
        Credits
      </text>
      <text className="on" x={start + width - 12} y={last} textAnchor="end">
        {formatCredits(total)}
      </text>
    </g>
  );
}
