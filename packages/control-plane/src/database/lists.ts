import type { Database } from "./connection.ts";

/** Where lists and sums are read: nothing that decides, and no balance. */
export interface Lists {
  /** May call `select` twice, on one database and then on another: it only reads. */
  read<Result>(select: (database: Database) => Promise<Result>): Promise<Result>;
}

export function listsOf(database: Database): Lists {
  return { read: (select) => select(database) };
}
