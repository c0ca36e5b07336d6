/** What a column of SQLite holds. */
export type SqlValue = string | number | null | ArrayBuffer;

/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** As much of a Durable Object's storage as is used: that of a class with SQLite. */
export interface ObjectStorage {
  readonly sql: { exec(query: string, ...values: SqlValue[]): Iterable<SqlRow> };
  /** Does the step; where it throws, nothing of it is written. */
  transactionSync<T>(step: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

/** The column of a row, as a number; throws for what is none. */
export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`the storage of the wallet, ${column}: expected a number, received ${typeof value}`);
}

/** The column of a row, as text; throws for what is none. */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`the storage of the wallet, ${column}: expected text, received ${typeof value}`);
}

/**
 * The storage, of an object whose memory is worth nothing where it could not be written: any failure ends the memory, and the next call
 * finds the object as it is stored.
 */
export function guardStorage(storage: ObjectStorage, abort: (reason: string) => void): ObjectStorage {
  const guarded = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      abort(`creditgate: the storage of the wallet failed: ${String(error)}`);
      throw error;
    }
  };
  return {
    sql: { exec: (query, ...values) => guarded(() => storage.sql.exec(query, ...values)) },
    transactionSync: (step) => guarded(() => storage.transactionSync(step)),
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
  };
}
