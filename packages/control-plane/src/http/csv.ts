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

/**
 * Where lists are separated by semicolons, as in German, a spreadsheet that is given the file begins a cell behind each, and
 * a row behind each line break: it knows no quotes but those that begin a cell. Blanks, breaks and quotes are read once.
 */
const beforeFormula = /(?<![;\s\p{Cc}'"])[;\s\p{Cc}'"]+(?=[=+\-@\uff1d\uff0b\uff0d\uff20|%])/gu;
const beginsCell = /[;\r\n]/;

/** Text behind a quote is shown as it is, and never computed. */
function defused(text: string): string {
  const begun = formula.test(text) ? `'${text}` : text;
  return begun.replaceAll(beforeFormula, (blanks) => (beginsCell.test(blanks) ? `${blanks}'` : blanks));
}
