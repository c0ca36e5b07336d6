import { formatCredits } from "../money/credits.ts";
import { type Decimal, formatDecimal } from "../money/decimal.ts";

/** A `bigint` is micro-credits; what is missing is an empty cell. */
export type Cell = string | number | bigint | Decimal | boolean | null;

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join()}\r\n`;
}

/** Numbers are written as numbers, below 0 too: no spreadsheet takes them for a formula. All text is in quotes. */
function written(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return formatCredits(cell);
  if (typeof cell === "object") return formatDecimal(cell);
  if (typeof cell !== "string") return String(cell);
  return `"${defused(cell).replaceAll('"', '""')}"`;
}

/**
 * What a spreadsheet takes for the beginning of a formula, also after blanks, in full width, or behind the quote of text.
 * A tab or a line break may bring what follows to the beginning of a cell.
 */
const formula = /^[\s\p{Cc}']*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/u;

/** Text behind a quote is shown as it is, and never computed. */
function defused(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
