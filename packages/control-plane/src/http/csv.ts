import type { ServerResponse } from "node:http";
import { type Decimal, formatCredits, formatDecimal } from "../money/decimal.ts";
import { isTaken } from "./event-stream.ts";

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

/** A file of any length, made while it is sent. */
export interface CsvAnswer {
  readonly status: 200;
  /** Without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly parts: AsyncGenerator<readonly (readonly Cell[])[], void, undefined>;
}

export interface CsvOptions {
  /** How long a client may take a part, in milliseconds, until its connection is cut: it would keep it from others. @default 300000 */
  readonly stallMs?: number;
  /** Whether the client may still read the file. */
  readonly isAdmitted: () => Promise<boolean>;
  /** How often that is asked, in milliseconds. @default 2000 */
  readonly admissionMs?: number;
}

/**
 * Sends a file part by part, as fast as the client takes it. What fails before the first part is an error as any other; a
 * failure later, also that of one who may not read on, cuts the connection, so that no client takes a part for the whole.
 */
export async function sendCsv(
  response: ServerResponse,
  { status, name, columns, parts }: CsvAnswer,
  { stallMs = 300_000, isAdmitted, admissionMs = 2_000 }: CsvOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  let part = await parts.next();
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "x-content-type-options": "nosniff",
  });
  try {
    response.write(csvLine(columns));
    // Its answer has no body, and ends.
    const isHead = response.req.method === "HEAD";
    let admittedAt = performance.now();
    const mayReadOn = async (): Promise<boolean> => {
      if (performance.now() - admittedAt < admissionMs) return true;
      admittedAt = performance.now();
      return isAdmitted();
    };
    while (part.done !== true && !response.destroyed && !isHead) {
      const hasRoom = response.write(part.value.map(csvLine).join(""));
      const goesOn = (hasRoom || (await isTaken(response, gone.signal, stallMs))) && (await mayReadOn());
      if (!goesOn) response.destroy();
      else part = await parts.next();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    await parts.return();
  }
}
