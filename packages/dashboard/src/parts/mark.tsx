import type { ReactNode } from "react";

export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 28 28" aria-hidden="true">
      <rect className="k-brand" width="28" height="28" rx="7" />
      <path d="M7.5 6.5v15M20.5 6.5v15" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
      <circle cx="14" cy="14" r="3.4" fill="#fff" />
    </svg>
  );
}
