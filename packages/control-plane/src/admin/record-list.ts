import type { Database } from "../database/connection.ts";
import type { JsonObject } from "../http/json.ts";
import type { ListPart } from "../http/list.ts";

/** Records of a list, as they are answered. */
export interface RecordPart {
  readonly records: readonly JsonObject[];
  readonly next: string | null;
}

/** Reads a part of a list, of those records that pass its filter. */
export type RecordList<Filter> = (
  database: Database,
  selection: { readonly orgId: bigint; readonly query: Filter },
  part: ListPart,
) => Promise<RecordPart>;
