import { statSync } from "node:fs";
import { OutboxError } from "./outbox-error.ts";

/** Which file a path named first: a system lets a file be removed, or another be moved over it, while it is open. */
export class FileIdentity {
  readonly #path: string;
  readonly #first: string | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#first = identityOf(path);
  }

  /** Throws `unavailable` where the path names another file, or none: what is written to the one that is open ends with the process. */
  check(): void {
    const now = identityOf(this.#path);
    if (now === this.#first) return;
    const found = now === undefined ? "it has been removed" : "another file is in its place";
    throw new OutboxError(
      "unavailable",
      `outbox ${this.#path}: ${found} while this process had it open: nothing more is taken; let this process end, which delivers what it can, and start it again`,
    );
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
