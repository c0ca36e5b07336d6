import type { Cell } from "../http/csv.ts";
import type { ListPart } from "../http/list.ts";

/** Records that are read with one statement. */
const atOnce = 500;

/** Some rows of a file, and where the next ones begin. */
export interface CsvPart {
  readonly rows: readonly (readonly Cell[])[];
  readonly next: string | null;
}

/** The rows of a file, part by part, to the end. */
export async function* csvParts(
  read: (part: ListPart) => Promise<CsvPart>,
): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  let part: ListPart = { limit: atOnce, cursor: undefined };
  for (;;) {
    const { rows, next } = await read(part);
    yield rows;
    if (next === null) return;
    part = { limit: atOnce, cursor: next };
  }
}
