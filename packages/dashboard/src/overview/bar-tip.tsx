import { formatCredits } from "../parts/amounts.ts";
import { type Band, shortened } from "./chart.ts";

const width = 190;
const line = 16;

interface BarTipProps {
  readonly title: string;
  readonly bands: readonly Band[];
  readonly index: number;
  readonly total: number;
  readonly x: number;
  readonly left: number;
  readonly right: number;
}

/** What a bar says when a pointer is on it: shown by CSS, and drawn right of it, or left where there is no room. */
export function BarTip({ title, bands, index, total, x, left, right }: BarTipProps) {
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
            {formatCredits(values[index] ?? 0)}
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
