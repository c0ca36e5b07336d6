import { createHash } from "node:crypto";

/**
 * How documents look: the dashboard's tokens in light, on paper of any size. Rows are not torn apart, the head of a table is
 * repeated, and the last rows stay with the totals.
 */
export const style = `
:root {
  color-scheme: light;
  --page: #ffffff; --ground: #f6f6f9; --line: #e6e7ee; --line-strong: #d3d5df;
  --ink: #171922; --quiet: #585c6d; --accent: #4250d8; --bad: #b0241d; --good: #186a44;
  --sans: -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
*, ::before, ::after { box-sizing: border-box; }
html { background: var(--ground); -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 0.875rem / 1.5 var(--sans); color: var(--ink); font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
h1, h2, p, dl, dd, address, table { margin: 0; padding: 0; font-style: normal; }
main { max-width: 52rem; margin: 2rem auto; padding: 3.5rem 3.5rem 3rem; border-radius: 0.75rem; background: var(--page); box-shadow: 0 1px 2px #17192214, 0 18px 48px -8px #17192220; }
header { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 2rem; align-items: baseline; padding-bottom: 1.75rem; border-bottom: 1px solid var(--line); }
header .issuer { font-size: 1rem; font-weight: 650; letter-spacing: -0.01em; }
h1 { font-size: 1.625rem; font-weight: 600; letter-spacing: -0.025em; line-height: 1.15; text-align: end; }
h1 span { color: var(--quiet); font-weight: 400; }
header .state { grid-column: 2; justify-self: end; font-size: 0.8125rem; color: var(--quiet); }
header .state::before { content: ""; display: inline-block; width: 0.4375rem; height: 0.4375rem; margin-inline-end: 0.4375rem; border-radius: 50%; background: var(--accent); vertical-align: 0.0625rem; }
header .state.paid::before { background: var(--good); }
header .state.void { color: var(--bad); }
header .state.void::before { background: var(--bad); }
.parties { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 2rem; padding: 1.75rem 0 2.25rem; }
.parties h2, dt { font-size: 0.75rem; font-weight: 500; line-height: 1.5; color: var(--quiet); }
.parties address { overflow-wrap: anywhere; }
.parties strong { font-weight: 600; }
.parties address .more { display: block; font-size: 0.8125rem; color: var(--quiet); }
.parties address br + .more, .parties strong + .more { margin-top: 0.5rem; }
.facts { display: grid; gap: 0.5rem; align-content: start; }
.facts dd { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
th { padding: 0 0 0.5rem; border-bottom: 1px solid var(--line-strong); font-size: 0.75rem; font-weight: 500; color: var(--quiet); text-align: start; white-space: nowrap; }
td { padding: 0.6875rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:not(:first-child), td:not(:first-child) { padding-inline-start: 1.5rem; text-align: end; white-space: nowrap; }
td:first-child { overflow-wrap: anywhere; }
td small { display: block; font-size: 0.8125rem; color: var(--quiet); }
.total { display: grid; grid-template-columns: minmax(0, 1fr) minmax(17rem, 45%); gap: 2rem; padding-top: 1rem; }
.total p { font-size: 0.8125rem; color: var(--quiet); }
.total dl { display: grid; grid-template-columns: 1fr auto; gap: 0.375rem 0; grid-column: 2; }
.total dt { font-size: 0.875rem; }
.total dd { padding-inline-start: 2rem; text-align: end; }
.total .sum { padding-top: 0.625rem; margin-top: 0.25rem; border-top: 1px solid var(--line-strong); color: var(--ink); font-size: 1rem; font-weight: 650; letter-spacing: -0.01em; }
.after { display: grid; gap: 0.375rem; padding-top: 2.25rem; white-space: pre-line; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.75rem; color: var(--quiet); white-space: pre-line; overflow-wrap: anywhere; }
.stamp { grid-column: 1; place-self: center; padding: 0.125rem 1.25rem; border: 0.1875rem solid; border-radius: 0.4375rem; font-size: 2.25rem; font-weight: 700; line-height: 1.4; letter-spacing: 0.14em; text-transform: uppercase; transform: rotate(-11deg); opacity: 0.8; }
.total .stamp { color: var(--bad); font-size: 2.25rem; }
@media (max-width: 44rem) {
  main { margin: 0; padding: 1.5rem 1.25rem; border-radius: 0; box-shadow: none; }
  .parties { grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
  .total { grid-template-columns: minmax(0, 1fr); }
  .total dl { grid-column: 1; }
  .stamp { grid-row: 1; }
}
@page { margin: 16mm 17mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt var(--sans); color: #585c6d; } }
@media print {
  html { background: none; font-size: 12.5px; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; margin: 0; padding: 0; border-radius: 0; box-shadow: none; }
  thead { display: table-header-group; }
  tr, .parties, .total, .after, footer { break-inside: avoid; }
  tbody tr:nth-last-child(-n + 2), table { break-after: avoid; }
  .total, .after, footer { break-before: avoid; }
}
`;

/** The page runs nothing, loads nothing, and is shown in no other page. */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
