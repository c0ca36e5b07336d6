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
  /** Whose a row is: owners take turns, so that one with many rows holds up no other. @default one owns all */
  readonly ownerOf?: (row: Row) => unknown;
  /** With how many rows waiting a second statement is begun beside the first: below, one of both is cheaper. @default 32 */
  readonly minRows?: number;
  /** Rows in one statement at most. @default 500 */
  readonly maxRows?: number;
  /** Bytes in one statement at most, unless one row alone is larger. @default 512 KiB */
  readonly maxBytes?: number;
  /** Bytes that wait at most; no owner has more than stays free for others. More is refused with a `BusyError`. @default 16 MiB */
  readonly maxWaitingBytes?: number;
  /** Called after a statement that took so many milliseconds; its writer begins none while the promise is pending. */
  readonly rest?: (tookMs: number) => Promise<unknown> | undefined;
  /** Measures how long a statement takes, in milliseconds. @default performance */
  readonly elapsed?: Clock;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  readonly size: number;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** The rows of one owner. */
interface Line<Row, Result> {
  readonly rows: Waiting<Row, Result>[];
  bytes: number;
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
    ownerOf = () => undefined,
    minRows = 32,
    rest,
    elapsed = performance,
    maxRows = 500,
    maxBytes = 512 * 1024,
    maxWaitingBytes = 16 * 1024 * 1024,
  } = options;
  // In the order of their turns.
  const lines = new Map<unknown, Line<Row, Result>>();
  let waitingRows = 0;
  let waitingBytes = 0;
  let writing = 0;
  let inserting = 0;
  let lastStart = 0;

  const writeAll = async (): Promise<void> => {
    writing += 1;
    // What comes in with the same turn of the event loop goes out together.
    await nextTurn();
    while (waitingRows > 0) {
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
    const isWorthAnother = waitingRows >= minRows || elapsed.now() - lastStart > patienceMs;
    if (writing === 0 || (writing < writers && isWorthAnother && waitingRows > 0)) void writeAll();
  };

  const takeBatch = (): readonly Waiting<Row, Result>[] => {
    // A part for each writer that is free: what clients send as they are answered would else stay one batch for ever,
    // and the database would wait while they are answered.
    const share = Math.max(minRows, Math.ceil(waitingRows / (writers - inserting)));
    const most = Math.min(share, maxRows);
    const batch: Waiting<Row, Result>[] = [];
    let bytes = 0;
    for (const [owner, line] of lines) {
      const turn = Math.ceil((most - batch.length) / lines.size);
      let rows = 0;
      let rowBytes = 0;
      for (const { size } of line.rows) {
        const isFirst = batch.length + rows === 0;
        if (rows === turn || (!isFirst && bytes + rowBytes + size > maxBytes)) break;
        rowBytes += size;
        rows += 1;
      }
      // Left where it is, a row that is too large for this batch begins the next one.
      if (rows === 0) break;
      batch.push(...line.rows.splice(0, rows));
      line.bytes -= rowBytes;
      bytes += rowBytes;
      lines.delete(owner);
      const isEmpty = line.rows.length === 0;
      // Its next turn comes after those of the others, in this batch if it has room.
      if (!isEmpty) lines.set(owner, line);
      if (batch.length === most || (rows < turn && !isEmpty)) break;
    }
    waitingRows -= batch.length;
    waitingBytes -= bytes;
    lastStart = elapsed.now();
    return batch;
  };

  /** Resolves why nothing can be written, where that is so. */
  const writeBatch = async (batch: readonly Waiting<Row, Result>[]): Promise<unknown> => {
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
        const behind = [...lines.values()].flatMap(({ rows }) => rows);
        lines.clear();
        waitingRows = 0;
        waitingBytes = 0;
        for (const { reject } of [...batch, ...behind]) reject(error);
        return error;
      }
      if (batch.length > 1) return writeEach(batch);
      for (const { reject } of batch) reject(error);
    }
    return undefined;
  };

  /** One bad row must not take the others with it; a database that cannot write one cannot write those after it. */
  const writeEach = async (batch: readonly Waiting<Row, Result>[]): Promise<unknown> => {
    let outage: unknown;
    for (const waiting of batch) {
      if (outage === undefined) outage = await writeBatch([waiting]);
      else waiting.reject(outage);
    }
    return outage;
  };

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        const size = sizeOf(row);
        const owner = ownerOf(row);
        const line = lines.get(owner) ?? { rows: [], bytes: 0 };
        if (line.bytes + size > maxWaitingBytes - waitingBytes) {
          reject(new BusyError(`${waitingBytes} bytes are waiting to be stored already.`));
          return;
        }
        lines.set(owner, line);
        line.rows.push({ row, size, resolve, reject });
        line.bytes += size;
        waitingRows += 1;
        waitingBytes += size;
        beginAnother();
      }),
  };
}
