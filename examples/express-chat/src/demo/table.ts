import { inCredits } from "./credits.ts";
import type { Customers } from "./customers.ts";
import type { Visitor } from "./visitor.ts";

const firstWidth = 9;
const widths = [8, 8, 9, 10];
const header = ["served", "denied", "billed", "left"];

/** The customers, a line each, both sides beside each other: what they saw, and what their wallets say. */
export function tableOf(groups: readonly Customers[]): string[] {
  const sideWidth = widths.reduce((sum, width) => sum + width, 0);
  const names = groups.map(({ side }) => side.name.padStart(sideWidth)).join("");
  const ids = groups[0]?.visitors.map(({ id }) => id) ?? [];
  return [
    `${"".padEnd(firstWidth)}${names}`,
    `${"customer".padEnd(firstWidth)}${groups.map(() => cells(header)).join("")}`,
    ...ids.map((id, at) => {
      const sides = groups.map(({ visitors }) => cells(figuresOf(visitors[at])));
      return `${id.padEnd(firstWidth)}${sides.join("")}`;
    }),
  ];
}

function figuresOf(visitor: Visitor | undefined): string[] {
  if (visitor === undefined) return header.map(() => "");
  const { served, stopped, denied, billed, left } = visitor;
  return [`${served + stopped}`, `${denied}`, inCredits(billed), inCredits(left)];
}

function cells(texts: readonly string[]): string {
  return texts.map((text, at) => text.padStart(widths[at] ?? 0)).join("");
}
