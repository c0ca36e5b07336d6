import type { ReactNode } from "react";

interface LegendKeyProps {
  /** The class of its colour, or of its line. */
  readonly look?: string;
  readonly fill?: string;
  readonly isLine?: boolean;
  readonly children: ReactNode;
}

/** What a colour or a line of a chart means: one of a `ul` of the class `legend`. */
export function LegendKey({ look, fill, isLine = false, children }: LegendKeyProps) {
  return (
    <li>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {isLine ? (
          <path className={`key ${look}`} d="M0 6h12" />
        ) : (
          <rect className={look} fill={fill} width="12" height="12" />
        )}
      </svg>
      {children}
    </li>
  );
}

interface ShareBarProps {
  readonly name: ReactNode;
  readonly count: ReactNode;
  readonly share: string;
  readonly look: string;
  /** Of the widest bar, from 0 to 1. */
  readonly width: number;
}

/** A part of a whole, with a bar: one of a `ul` of the class `bars`. */
export function ShareBar({ name, count, share, look, width }: ShareBarProps) {
  return (
    <li>
      <span>{name}</span>
      <span className="n">
        {count}
        <span className="quiet">{share}</span>
      </span>
      <svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track" width="100" height="5" />
        <rect className={look} width={100 * width} height="5" />
      </svg>
    </li>
  );
}
