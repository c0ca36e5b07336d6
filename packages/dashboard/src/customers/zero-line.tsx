import type { AdminWallet } from "@creditgate/admin";
import { LegendKey } from "../parts/legend.tsx";
import { describeWallet, type Nearness, readWallet } from "./wallet.ts";

/** About as wide as it is drawn, in a table and in a panel: stretched, the hatching would be smeared. */
const widths = { aligned: 220, alone: 500 };
/** Where the tick stands, of the width, if there is a side left of it. */
const middle = 0.22;
const gap = 2;

/** The pattern of what is pending; once on each page. */
export function ZeroLinePatterns() {
  return (
    <svg className="defs" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern
          id="pending"
          className="hatch"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="4" height="4" />
          <path d="M0 0V4" />
        </pattern>
      </defs>
    </svg>
  );
}

/**
 * A wallet in one line. Right of the tick lies what it can pay, and hatched what is pending; left of it what it owes. In a
 * table all ticks stand below each other.
 */
export function ZeroLine({
  wallet,
  isAligned = false,
}: {
  readonly wallet: AdminWallet;
  readonly isAligned?: boolean;
}) {
  const hasOverage = wallet.kind === "prepaid" && wallet.overageLimit + wallet.overageUsed > 0;
  const width = isAligned ? widths.aligned : widths.alone;
  const zero = isAligned || hasOverage ? Math.round(width * middle) : 1;
  return (
    <svg
      className="zl"
      viewBox={`0 0 ${width} 14`}
      preserveAspectRatio="none"
      role="img"
      aria-label={describeWallet(wallet)}
    >
      <rect className="track" x={zero + gap} y="4" width={width - zero - gap} height="6" rx="1.5" />
      {wallet.kind === "prepaid" ? (
        <Prepaid wallet={wallet} zero={zero} width={width} />
      ) : (
        <Used
          used={wallet.postpaidUsed}
          limit={wallet.postpaidLimit}
          nearness={readWallet(wallet).nearness}
          start={zero + gap}
          width={width}
        />
      )}
      <path className="zero" d={`M${zero} 0V14`} />
    </svg>
  );
}

interface SideProps {
  readonly wallet: AdminWallet;
  readonly zero: number;
  readonly width: number;
}

function Prepaid({ wallet, zero, width }: SideProps) {
  const { available, pending, overageUsed, overageLimit, state } = wallet;
  const start = zero + gap;
  const scale = (width - start) / roundUp(Math.max(available, 0) + pending);
  const has = Math.max(available, 0) * scale;
  const leftSide = zero - gap;
  const owed = Math.max(overageLimit, overageUsed);
  const owes = owed === 0 ? 0 : (overageUsed / owed) * leftSide;
  const isEnded = state === "exhausted";
  return (
    <>
      {owed > 0 && <rect className="line-track" x="0" y="4" width={leftSide} height="6" rx="1.5" />}
      {owes > 0 && (
        <rect className={isEnded ? "none" : "owes"} x={leftSide - owes} y="4" width={owes} height="6" />
      )}
      {has > 0 && (
        <rect
          className={readWallet(wallet).nearness === "soon" ? "low" : "has"}
          x={start}
          y="4"
          width={has}
          height="6"
        />
      )}
      {pending > 0 && <rect fill="url(#pending)" x={start + has} y="4" width={pending * scale} height="6" />}
    </>
  );
}

const usedClasses = { fine: "used", soon: "owes", now: "none" } as const;

interface Usage {
  readonly used: number;
  readonly limit: number;
  readonly nearness: Nearness;
}

/** How much is used of what may be. */
export function UsedLine({ label, ...usage }: Usage & { readonly label: string }) {
  const width = widths.aligned;
  return (
    <svg className="zl" viewBox={`0 0 ${width} 14`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className="track" x="0" y="4" width={width} height="6" rx="1.5" />
      <Used {...usage} start={0} width={width} />
    </svg>
  );
}

/** A limit of 0 is none, as that of a postpaid wallet. */
function Used({ used, limit, nearness, start, width }: Usage & { start: number; width: number }) {
  const end = limit === 0 ? roundUp(used) : Math.max(limit, used);
  const drawn = end === 0 ? 0 : (used / end) * (width - start);
  return (
    <>
      {drawn > 0 && <rect className={usedClasses[nearness]} x={start} y="4" width={drawn} height="6" />}
      {limit > 0 && (
        <path className="limit" d={`M${start + (limit / end) * (width - start) - 0.5} 1.5V12.5`} />
      )}
    </>
  );
}

/** The next of 1, 2, 5, 10, 20, … of which what is shown takes at most nine tenths: how long the line is that has no end of its own. */
function roundUp(credits: number): number {
  if (credits <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(credits));
  return power * ([1, 2, 5].find((step) => credits <= step * power * 0.9) ?? 10);
}

/** What the colours of the line mean. */
export function ZeroLineLegend() {
  return (
    <ul className="legend">
      <LegendKey look="k-owes">overage used, left of zero</LegendKey>
      <LegendKey look="k-has">available</LegendKey>
      <LegendKey fill="url(#pending)">pending payment</LegendKey>
      <LegendKey look="k-used">used, postpaid</LegendKey>
    </ul>
  );
}
