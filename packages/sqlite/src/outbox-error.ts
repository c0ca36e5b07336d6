/**
 * What is wrong with an outbox file.
 *
 * - `invalid_option`: misuse; the message names the option
 * - `locked`: another process, or another outbox of this one, owns the file
 * - `other_version`: another version of Creditgate wrote it
 * - `not_an_outbox`: it is a SQLite file of something else
 * - `corrupt`: it or a row of it is damaged, or it is no SQLite file at all
 * - `disk_full`: no room; what is in the file stays, and the write is not in it
 * - `unavailable`: it cannot be opened, read or written, or its outbox has been closed
 */
export type OutboxErrorCode =
  | "invalid_option"
  | "locked"
  | "other_version"
  | "not_an_outbox"
  | "corrupt"
  | "disk_full"
  | "unavailable";

/** The one error of this package. */
export class OutboxError extends Error {
  override readonly name = "OutboxError" as const;
  readonly code: OutboxErrorCode;

  constructor(code: OutboxErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** The error of a database call on this file, in our words. */
export function outboxError(path: string, error: unknown): OutboxError {
  if (error instanceof OutboxError) return error;
  const [code, explanation] = diagnosis(resultOf(error));
  const message = error instanceof Error ? error.message : String(error);
  return new OutboxError(code, `outbox ${path}: ${explanation} (${message})`, error);
}

/** Lets a full disk pass, and no other failure: for writes that can be made later, or not at all. */
export function unlessFull(error: unknown): undefined {
  if (resultOf(error instanceof OutboxError ? error.cause : error) !== "FULL") throw error;
}

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html. */
function diagnosis(result: string): readonly [OutboxErrorCode, string] {
  switch (result) {
    case "FULL":
      return [
        "disk_full",
        "the disk is full: make room on its volume; nothing that was written is lost, and nothing more is taken until then",
      ];
    case "CORRUPT":
    case "NOTADB":
      return [
        "corrupt",
        "the file is damaged; keep a copy, then repair it with `sqlite3 FILE .recover` or move it away",
      ];
    case "BUSY":
      return ["locked", "another process is writing to the file"];
    default:
      return ["unavailable", "the file cannot be read or written"];
  }
}

const names = new Map([
  [5, "BUSY"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [26, "NOTADB"],
]);

/** better-sqlite3 and libsql name the result in `code`, node:sqlite gives its number in `errcode`. */
function resultOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  if ("errcode" in error && typeof error.errcode === "number") return names.get(error.errcode & 0xff) ?? "";
  if ("code" in error && typeof error.code === "string") return error.code.split("_")[1] ?? "";
  return "";
}
