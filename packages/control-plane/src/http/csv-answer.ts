import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type Cell, csvLine } from "./csv.ts";

/** A file of any length, made while it is sent. */
export interface CsvAnswer {
  readonly status: 200;
  /** Without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly parts: AsyncGenerator<readonly (readonly Cell[])[], void, undefined>;
}

/**
 * Sends a file part by part, as fast as the client takes it. What fails before the first part is an error as any other; a
 * failure later cuts the connection, so that no client takes a part for the whole.
 */
export async function sendCsv(
  response: ServerResponse,
  { status, name, columns, parts }: CsvAnswer,
): Promise<void> {
  const closed = once(response, "close");
  let part = await parts.next();
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
    "x-content-type-options": "nosniff",
  });
  try {
    response.write(csvLine(columns));
    while (part.done !== true && !response.destroyed) {
      const isTaken = response.write(part.value.map(csvLine).join(""));
      if (!isTaken) await Promise.race([once(response, "drain"), closed]);
      part = await parts.next();
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}
