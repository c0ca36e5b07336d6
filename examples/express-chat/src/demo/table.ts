import { inCredits, toMicro } from "./credits.ts";
import type { Visitor } from "./visitor.ts";

const header = ["customer", "pays", "requests", "served", "denied", "wallet left", "holds", "unconfirmed"];
const widths = [9, 9, 9, 8, 8, 13, 8, 13];

/** The visitors, a line each: what they saw, what the wallet can still pay, and what the gate reckons with. */
export function tableOf(visitors: readonly Visitor[]): string[] {
  return [header, ...visitors.map(cellsOf)].map(lineOf);
}

function cellsOf(visitor: Visitor): string[] {
  const { id, kind, requests, served, denied, left, standing } = visitor;
  return [
    id,
    kind,
    ...[requests, served, denied].map(String),
    ...[left, toMicro(standing?.held ?? 0), toMicro(standing?.unconfirmed ?? 0)].map(inCredits),
  ];
}

/** Text to the left, figures to the right. */
function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
    .join("");
}
