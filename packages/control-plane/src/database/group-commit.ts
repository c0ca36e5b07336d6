import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../time/clock.ts";
import { isUnavailable } from "./connection.ts";
import { BusyError } from "./fair-share.ts";

export interface GroupCommit<Row, Result> {
  /** Resolves when the row is durable. */
  write(row: Row): Promise<Result>;
}

export interface GroupCommitOptions<Row, Result> {
  /** Resolves a result for each row, in their order; one that is a promise holds nothing up. */
  readonly insert: (rows: readonly Row[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** How large a row is, in bytes, roughly. */
  readonly sizeOf: (row: Row) => number;
  /** With how many rows waiting a second statement is begun beside the first: below, one of both is cheaper. @default 32 */
  readonly minRows?: number;
  /** Rows in one statement at most. @default 500 */
  readonly maxRows?: number;
  /** Bytes in one statement at most, unless one row alone is larger. @default 512 KiB */
  readonly maxBytes?: number;
  /** Bytes that wait at most; more is refused with a `BusyError`. @default 16 MiB */
  readonly maxWaitingBytes?: number;
  /** Called after a statement that took so many milliseconds; its writer begins none while the promise is pending. */
  readonly rest?: (tookMs: number) => Promise<unknown> | undefined;
  /** Measures how long a statement takes, in milliseconds. @default performance */
  readonly elapsed?: Clock;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** More than one, so that the next batch is made ready while the last one waits for the disk. */
const writers = 2;

/** A batch that takes longer may wait for a lock: what comes meanwhile does not wait with it. */
const patienceMs = 50;

/** Rows that come in while the last ones are being written go out together, in one statement and one commit. */
export function createGroupCommit<Row, Result>(
  options: GroupCommitOptions<Row, Result>,
): GroupCommit<Row, Result> {
  const {
    insert,
    sizeOf,
    minRows = 32,
    rest,
    elapsed = performance,
    maxRows = 500,
    maxBytes = 512 * 1024,
    maxWaitingBytes = 16 * 1024 * 1024,
  } = options;
  let queue: Waiting<Row, Result>[] = [];
  let waitingBytes = 0;
  let writing = 0;
  let inserting = 0;
  let lastStart = 0;

  const writeAll = async (): Promise<void> => {
    writing += 1;
    // What comes in with the same turn of the event loop goes out together.
    await nextTurn();
    while (queue.length > 0) {
      const batch = takeBatch();
      inserting += 1;
      beginAnother();
      const start = elapsed.now();
      await writeBatch(batch);
      inserting -= 1;
      await rest?.(elapsed.now() - start);
    }
    writing -= 1;
  };

  const beginAnother = (): void => {
    const isWorthAnother = queue.length >= minRows || elapsed.now() - lastStart > patienceMs;
    if (writing === 0 || (writing < writers && isWorthAnother && queue.length > 0)) void writeAll();
  };

  const takeBatch = (): readonly Waiting<Row, Result>[] => {
    // A part for each writer that is free: what clients send as they are answered would else stay one batch for ever,
    // and the database would wait while they are answered.
    const share = Math.max(minRows, Math.ceil(queue.length / (writers - inserting)));
    let bytes = 0;
    let rows = 0;
    for (const { row } of queue) {
      const size = sizeOf(row);
      if (rows === Math.min(share, maxRows) || (rows > 0 && bytes + size > maxBytes)) break;
      bytes += size;
      rows += 1;
    }
    waitingBytes -= bytes;
    lastStart = elapsed.now();
    return queue.splice(0, rows);
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
      if (isUnavailable(error)) {
        // What waits behind the batch would wait as long, batch after batch, for the same answer.
        const behind = queue;
        queue = [];
        waitingBytes = 0;
        for (const { reject } of [...batch, ...behind]) reject(error);
      } else if (batch.length === 1) for (const { reject } of batch) reject(error);
      // One bad row must not take the others with it.
      else for (const waiting of batch) await writeBatch([waiting]);
    }
  };

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        const size = sizeOf(row);
        if (waitingBytes + size > maxWaitingBytes) {
          reject(new BusyError(`${maxWaitingBytes} bytes are waiting to be stored already.`));
          return;
        }
        waitingBytes += size;
        queue.push({ row, resolve, reject });
        beginAnother();
      }),
  };
}
