import type { Cast } from "./cast.ts";
import { inCredits } from "./credits.ts";
import type { Visitor } from "./visitor.ts";

const firstWidth = 9;
const widths = [8, 8, 9, 10];
const header = ["served", "denied", "billed", "left"];

/** The customers, a line each, both sides beside each other: what they saw, and what their wallets say. */
export function tableOf(casts: readonly Cast[]): string[] {
  const sideWidth = widths.reduce((sum, width) => sum + width, 0);
  const names = casts.map(({ side }) => side.name.padStart(sideWidth)).join("");
  const ids = casts[0]?.visitors.map(({ id }) => id) ?? [];
  return [
    `${"".padEnd(firstWidth)}${names}`,
    `${"customer".padEnd(firstWidth)}${casts.map(() => cells(header)).join("")}`,
    ...ids.map((id, at) => {
      const sides = casts.map(({ visitors }) => cells(figuresOf(visitors[at])));
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
