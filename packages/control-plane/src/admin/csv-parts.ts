import type { FairShare } from "../database/fair-share.ts";
import type { Cell } from "../http/csv.ts";
import type { ListPart } from "../lists/keyset.ts";
import type { Streams } from "./streams.ts";

/** Records that are read with one statement. */
const atOnce = 500;

/** Some rows of a file, and where the next ones begin. */
export interface CsvPart {
  readonly rows: readonly (readonly Cell[])[];
  readonly next: string | null;
}

/** What an organisation may take for its files. */
export interface CsvLimits {
  readonly share: FairShare;
  readonly exports: Streams;
}

/** The rows of a file, part by part, to the end. Each part takes a turn of the organisation; operators' files take none. */
export async function* csvParts(
  { share, exports }: CsvLimits,
  orgId: bigint | undefined,
  read: (part: ListPart) => Promise<CsvPart>,
): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  const leave = orgId === undefined ? undefined : exports.open(orgId);
  try {
    let part: ListPart = { limit: atOnce, cursor: undefined };
    for (;;) {
      const { rows, next } = await (orgId === undefined ? read(part) : share.run(orgId, () => read(part)));
      yield rows;
      if (next === null) return;
      part = { limit: atOnce, cursor: next };
    }
  } finally {
    leave?.();
  }
}
