import { type BigIntStats, realpathSync, statSync } from "node:fs";
import { OutboxError } from "./outbox-error.ts";

/** What SQLite and {@link lockFile} keep beside the file: its log, the index of that, and the lock of its owner. */
const besides = ["-wal", "-shm", "-lock"] as const;

/**
 * The files of an outbox as this process has opened them. An operating system lets a file be removed, replaced or
 * truncated while it is open, and what is written to it then is lost when the process exits.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #realPath: string;
  readonly #first = new Map<string, string>();
  readonly #sizes = new Map<string, bigint>();

  constructor(path: string) {
    this.#path = path;
    this.#realPath = realpathSync.native(path);
    this.#note(path);
    this.check();
  }

  /** After SQLite has made its files. */
  noteBesides(): void {
    for (const beside of besides) this.#note(this.#realPath + beside);
  }

  /** After a commit, which makes the log longer. */
  noteLog(): void {
    const log = `${this.#realPath}-wal`;
    const found = this.#first.has(log) ? stat(log) : undefined;
    if (found !== undefined && found.size > this.#sizeOf(log)) this.#sizes.set(log, found.size);
  }

  /** Throws `unavailable` if a file is no longer the one that is open. */
  check(): void {
    for (const [path, first] of this.#first) {
      const found = stat(path);
      if (found === undefined) this.#refuse(path, "has been removed");
      if (identityOf(found) !== first) this.#refuse(path, "has been replaced by another file");
      this.#checkSize(path, found.size);
    }
  }

  /** Only SQLite writes to them, and makes none shorter while it is open. */
  #checkSize(path: string, size: bigint): void {
    const before = this.#sizeOf(path);
    if (size < before) this.#refuse(path, `has been truncated from ${before} to ${size} bytes`);
    this.#sizes.set(path, size);
  }

  #sizeOf(path: string): bigint {
    return this.#sizes.get(path) ?? 0n;
  }

  #note(path: string): void {
    const found = stat(path);
    if (found !== undefined) this.#first.set(path, identityOf(found));
  }

  #refuse(path: string, what: string): never {
    const file = path === this.#path ? "it" : path;
    throw new OutboxError(
      "unavailable",
      `outbox ${this.#path}: ${file} ${what} while this process had it open, so nothing more is accepted. Restart the process: it delivers what it can when it closes`,
    );
  }
}

function stat(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
