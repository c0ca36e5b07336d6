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
  #size = 0n;

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

  /** Throws `unavailable` if a file is no longer the one that is open. */
  check(): void {
    for (const [path, first] of this.#first) {
      const found = stat(path);
      if (found === undefined) this.#refuse(path, "has been removed");
      if (identityOf(found) !== first) this.#refuse(path, "has been replaced by another file");
      if (path === this.#path) this.#checkSize(found.size);
    }
  }

  /** Only SQLite writes to the file, and never makes it shorter. */
  #checkSize(size: bigint): void {
    if (size < this.#size) this.#refuse(this.#path, `has been truncated from ${this.#size} to ${size} bytes`);
    this.#size = size;
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
