import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { FairShare } from "../database/fair-share.ts";
import type { Cell } from "../http/csv.ts";
import type { JsonObject } from "../http/json.ts";
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

/** Who asks for a file of what passes the filter. */
export interface CsvCall<Filter> {
  readonly database: Database;
  readonly orgId: bigint;
  readonly actor: string;
  readonly at: Date;
  readonly query: Filter;
}

/** A file that is asked for. */
export interface CsvExport {
  readonly name: string;
  /** `undefined` for an operator's of all organisations. */
  readonly orgId: bigint | undefined;
  readonly call: Omit<CsvCall<object>, "orgId">;
}

/**
 * The rows of a file, part by part, to the end. Each part takes a turn of the organisation; operators' files take none. The audit log has who
 * took it, before its first row.
 */
export async function* csvParts(
  { share, exports }: CsvLimits,
  { name, orgId, call: { database, actor, at, query } }: CsvExport,
  read: (part: ListPart) => Promise<CsvPart>,
): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  const leave = orgId === undefined ? undefined : exports.open(orgId);
  try {
    // That a text was searched for, not which: it may be the name of a customer, who may be erased.
    const searched = "search" in query ? { search: true } : {};
    const subject: JsonObject = { file: `${name}.csv`, ...query, ...searched };
    await database
      .transaction()
      .execute((transaction) => audit(transaction, { orgId, actor, action: "export", subject }, at));
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
