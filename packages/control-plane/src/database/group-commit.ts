import { setImmediate as nextTurn } from "node:timers/promises";
import { isUnavailable } from "./connection.ts";

export interface GroupCommit<Row, Result> {
  /** Resolves when the row is durable. */
  write(row: Row): Promise<Result>;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** More than one, so that the next batch is made ready while the last one waits for the disk. */
const writers = 2;

/** Rows that come in while the last ones are being written go out together, in one statement and one commit. */
export function createGroupCommit<Row, Result>(
  insert: (rows: readonly Row[]) => Promise<readonly Result[]>,
  maxRows = 500,
): GroupCommit<Row, Result> {
  const queue: Waiting<Row, Result>[] = [];
  let writing = 0;

  const writeAll = async (): Promise<void> => {
    writing += 1;
    // What comes in with the same turn of the event loop goes out together.
    await nextTurn();
    for (let batch = queue.splice(0, maxRows); batch.length > 0; batch = queue.splice(0, maxRows)) {
      await writeBatch(batch);
    }
    writing -= 1;
  };

  const writeBatch = async (batch: readonly Waiting<Row, Result>[]): Promise<void> => {
    try {
      const results = await insert(batch.map(({ row }) => row));
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined)
          waiting.reject(new Error("The insert answered fewer rows than it was given."));
        else waiting.resolve(result);
      }
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      // One bad row must not take the others with it.
      else for (const waiting of batch) await writeBatch([waiting]);
    }
  };

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        queue.push({ row, resolve, reject });
        if (writing < writers) void writeAll();
      }),
  };
}
