/** The strokes of each drawing. */
const drawings = {
  account:
    "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM6.1 6.6a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0zM4.2 12.6c.7-1.7 2.1-2.5 3.8-2.5s3.1.8 3.8 2.5",
  alert: "M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3zM8 4.8v4M8 11.2h.01",
  agent:
    "M4.7 4.5h6.6a2.2 2.2 0 0 1 2.2 2.2v4.1a2.2 2.2 0 0 1 -2.2 2.2h-6.6a2.2 2.2 0 0 1 -2.2 -2.2v-4.1a2.2 2.2 0 0 1 2.2 -2.2zM8 4.3V2M6 8.2v1M10 8.2v1",
  books: "M3.5 12.4V3.7c0-.8.6-1.4 1.4-1.4h7.6v11.4H4.8a1.3 1.3 0 0 1 0-2.6h7.7M6.5 5.4h3.2",
  budget: "M2.4 12.5a6 6 0 1 1 11.2 0M8 10.8l2.6-4",
  check: "M3 8.6l3.3 3.4L13 4.5",
  fine: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM5.4 8.2l1.9 1.9 3.4-3.9",
  clock: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM8 4.6V8l2.3 1.5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M7.1 5.5h4.8a1.6 1.6 0 0 1 1.6 1.6v4.8a1.6 1.6 0 0 1 -1.6 1.6h-4.8a1.6 1.6 0 0 1 -1.6 -1.6v-4.8a1.6 1.6 0 0 1 1.6 -1.6zM10.5 3.2a1.5 1.5 0 0 0-1-.7H4A1.5 1.5 0 0 0 2.5 4v5.5c0 .4.2.8.7 1",
  customers:
    "M3.6 5.2a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0zM1.8 13.2c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.6 3.1a2.3 2.3 0 0 1 0 4.3M12 9.8c1.3.5 2.1 1.7 2.3 3.4",
  down: "M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.5 13.5h11",
  gate: "M3 2v12M13 2v12M3 5.2h10M3 10.8h3.2M9.8 10.8H13",
  invoice: "M3.5 1.8h6l3 3v9.4h-9zM9.3 2v3h3M6 8.3h4M6 11h4",
  key: "M2.2 10.6a3 3 0 1 0 6 0a3 3 0 1 0 -6 0zM7.4 8.4l6-6M11 4.8l1.9 1.9",
  higher: "M8 13V3.5M4 7l4-4 4 4",
  lower: "M8 3v9.5M4 9l4 4 4-4",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  order:
    "M2 2.5h1.8l1.5 7.7h6.9l1.3-5.5H4.3M5 13a1 1 0 1 0 2 0a1 1 0 1 0 -2 0zM10.3 13a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z",
  person: "M5.4 5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0zM3 13.7c.4-2.8 2.4-4.4 5-4.4s4.6 1.6 5 4.4",
  fall: "M8 3v9.5M4 9l4 4 4-4",
  log: "M2.5 4h11M2.5 8h11M2.5 12h6.5",
  overview: "M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-5.5M13.5 13.5v-11",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2v9.6L12.5 8z",
  plus: "M8 3v10M3 8h10",
  rise: "M8 13V3.5M4 7l4-4 4 4",
  search: "M2.6 7a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0zM10.3 10.3l3.4 3.4",
  signOut: "M6.5 2.5h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10.3 11L13.5 8l-3.2-3M13.3 8H6.5",
  start: "M4 14V2.5M4 3h8.5l-2 3 2 3H4",
  theme: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
  webhook:
    "M10.5 4.5a2.6 2.6 0 1 0-3.9 2.2L4.5 10.5M5.6 12a2.6 2.6 0 1 1-2.4-3.5M8 4.5l2.3 4M10.4 12H6.3m4.1 0a2.5 2.5 0 1 0 .4-2.9",
  usage: "M1.5 8h2.7l2-5 3.3 10 2-5h3",
  warning: "M8 2.3L14.3 13.3H1.7zM8 6.5v3.2M8 11.5h.01",
} as const;

export type IconName = keyof typeof drawings;

/** A drawing beside a word, which says the same: hidden from screen readers. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`i ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
      {name === "theme" && <path className="solid" d="M8 2a6 6 0 0 1 0 12z" />}
    </svg>
  );
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 28 28" aria-hidden="true">
      <rect className="k-brand" width="28" height="28" rx="7" />
      <path d="M7.5 6.5v15M20.5 6.5v15" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
      <circle cx="14" cy="14" r="3.4" fill="#fff" />
    </svg>
  );
}
