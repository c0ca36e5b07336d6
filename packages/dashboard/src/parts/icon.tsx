import type { ReactNode } from "react";

const drawings = {
  account: (
    <>
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="6.6" r="1.9" />
      <path d="M4.2 12.6c.7-1.7 2.1-2.5 3.8-2.5s3.1.8 3.8 2.5" />
    </>
  ),
  alert: <path d="M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM8 4.8v4M8 11.2h.01" />,
  agent: (
    <>
      <rect x="2.5" y="4.5" width="11" height="8.5" rx="2.2" />
      <path d="M8 4.3V2M6 8.2v1M10 8.2v1" />
    </>
  ),
  books: <path d="M3.5 12.4V3.7c0-.8.6-1.4 1.4-1.4h7.6v11.4H4.8a1.3 1.3 0 0 1 0-2.6h7.7M6.5 5.4h3.2" />,
  check: <path d="M3 8.6l3.3 3.4L13 4.5" />,
  fine: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M5.4 8.2l1.9 1.9 3.4-3.9" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.6V8l2.3 1.5" />
    </>
  ),
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.6" />
      <path d="M10.5 3.2a1.5 1.5 0 0 0-1-.7H4A1.5 1.5 0 0 0 2.5 4v5.5c0 .4.2.8.7 1" />
    </>
  ),
  customers: (
    <>
      <circle cx="6" cy="5.2" r="2.4" />
      <path d="M1.8 13.2c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.6 3.1a2.3 2.3 0 0 1 0 4.3M12 9.8c1.3.5 2.1 1.7 2.3 3.4" />
    </>
  ),
  down: <path d="M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.5 13.5h11" />,
  gate: <path d="M3 2v12M13 2v12M3 5.2h10M3 10.8h3.2M9.8 10.8H13" />,
  invoice: <path d="M3.5 1.8h6l3 3v9.4h-9zM9.3 2v3h3M6 8.3h4M6 11h4" />,
  key: (
    <>
      <circle cx="5.2" cy="10.6" r="3" />
      <path d="M7.4 8.4l6-6M11 4.8l1.9 1.9" />
    </>
  ),
  higher: <path d="M8 13V3.5M4 7l4-4 4 4" />,
  lower: <path d="M8 3v9.5M4 9l4 4 4-4" />,
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />,
  order: (
    <>
      <path d="M2 2.5h1.8l1.5 7.7h6.9l1.3-5.5H4.3" />
      <circle cx="6" cy="13" r="1" />
      <circle cx="11.3" cy="13" r="1" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5" r="2.6" />
      <path d="M3 13.7c.4-2.8 2.4-4.4 5-4.4s4.6 1.6 5 4.4" />
    </>
  ),
  fall: <path d="M8 3v9.5M4 9l4 4 4-4" />,
  log: <path d="M2.5 4h11M2.5 8h11M2.5 12h6.5" />,
  overview: <path d="M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-5.5M13.5 13.5v-11" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  play: <path d="M5 3.2v9.6L12.5 8z" />,
  plus: <path d="M8 3v10M3 8h10" />,
  rise: <path d="M8 13V3.5M4 7l4-4 4 4" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.4" />
      <path d="M10.3 10.3l3.4 3.4" />
    </>
  ),
  signOut: <path d="M6.5 2.5h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10.3 11L13.5 8l-3.2-3M13.3 8H6.5" />,
  start: <path d="M4 14V2.5M4 3h8.5l-2 3 2 3H4" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path className="solid" d="M8 2a6 6 0 0 1 0 12z" />
    </>
  ),
  webhook: (
    <path d="M10.5 4.5a2.6 2.6 0 1 0-3.9 2.2L4.5 10.5M5.6 12a2.6 2.6 0 1 1-2.4-3.5M8 4.5l2.3 4M10.4 12H6.3m4.1 0a2.5 2.5 0 1 0 .4-2.9" />
  ),
  usage: <path d="M1.5 8h2.7l2-5 3.3 10 2-5h3" />,
  warning: <path d="M8 2.3L14.3 13.3H1.7zM8 6.5v3.2M8 11.5h.01" />,
} as const;

export type IconName = keyof typeof drawings;

/** A drawing beside a word, which says the same: hidden from screen readers. */
export function Icon({
  name,
  className = "",
}: {
  readonly name: IconName;
  readonly className?: string;
}): ReactNode {
  return (
    <svg className={`i ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
