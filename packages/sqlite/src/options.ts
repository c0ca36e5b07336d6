import { checkNames } from "@creditgate/core/adapter";
import { defaultLimits } from "@creditgate/fleet";
import type { OpenDatabase } from "./database.ts";
import { OutboxError } from "./outbox-error.ts";

/** Options of {@link createSqliteOutbox}. */
export interface SqliteOutboxOptions {
  /** The file; created if it is missing, in a directory that exists, on a local disk. */
  readonly path: string;
  /**
   * Admission stops at this number of undelivered reports; at as many dead ones, a kind of work whose usage the service has never taken is tried one piece at a time;
   * 1 to 10_000_000. @default 100_000
   */
  readonly maxReports?: number;
  /**
   * Admission stops when these reports, which are in memory too, are this number of bytes, and the same for dead ones; the file may be six
   * times as large. @default 67_108_864
   */
  readonly maxBytes?: number;
  /** `full` syncs the disk at every commit; `normal` may lose the last of them to a power cut, but not to a crash. @default "full" */
  readonly synchronous?: "full" | "normal";
  /**
   * Opens databases with better-sqlite3's API: `(path) => new DatabaseSync(path)`. Its commits hold the event loop for as
   * long as an fsync takes. @default libsql, which commits on a thread of its own
   */
  readonly open?: OpenDatabase | undefined;
  /** Time, for tests: milliseconds that never step. @default that of the machine */
  readonly clock?: { now(): number };
}

/** Every option present and checked. */
export type SqliteOutboxSettings = Required<SqliteOutboxOptions>;

const optionNames: Readonly<Record<keyof SqliteOutboxOptions, true>> = {
  path: true,
  maxReports: true,
  maxBytes: true,
  synchronous: true,
  open: true,
  clock: true,
};

export function outboxSettings(options: SqliteOutboxOptions): SqliteOutboxSettings {
  if (typeof options !== "object" || options === null) invalid("options", "an object", options);
  checkNames(options, optionNames, { refuse });
  const { path, synchronous = "full", open, clock = performance } = options;
  if (typeof path !== "string" || path === "" || path.startsWith(":") || path.includes("\0")) {
    invalid("path", "the path of a file", path);
  }
  if (synchronous !== "full" && synchronous !== "normal")
    invalid("synchronous", '"full" or "normal"', synchronous);
  if (open !== undefined && typeof open !== "function") invalid("open", "a function", open);
  if (typeof clock?.now !== "function") invalid("clock", "a clock", clock);
  return {
    path,
    maxReports: whole("maxReports", options.maxReports ?? defaultLimits.maxReports, 10_000_000),
    maxBytes: whole("maxBytes", options.maxBytes ?? defaultLimits.maxBytes, Number.MAX_SAFE_INTEGER),
    synchronous,
    open,
    clock,
  };
}

function whole(option: string, value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  return invalid(
    option,
    most === Number.MAX_SAFE_INTEGER ? "a whole number, 1 or more" : `a whole number, from 1 to ${most}`,
    value,
  );
}

function invalid(option: string, expected: string, received: unknown): never {
  const shown = typeof received === "object" && received !== null ? "an object" : JSON.stringify(received);
  return refuse(`${option}: expected ${expected}, received ${shown ?? String(received)}`);
}

function refuse(message: string): never {
  throw new OutboxError("invalid_option", message);
}
