import type { ServerResponse } from "node:http";
import { type Cell, csvLine } from "./csv.ts";
import { isTaken } from "./taken.ts";

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
