import { randomFillSync } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { open, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";

const chunkBytes = 2 ** 20;
/** SQLite's log grows to 4 MiB before its pages go into the file, which may then grow by as much. */
const reserveBytes = 8 * chunkBytes;
const retryMs = 1_000;

/**
 * Disk space for the time when the disk is full, held by a file beside the outbox: with it, reports can still be marked
 * as delivered, so that delivery goes on.
 */
export class Reserve {
  readonly #path: string;
  readonly #clock: { now(): number };
  #held: boolean;
  #spent = false;
  #filling: Promise<void> | undefined;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, clock: { now(): number }) {
    this.#path = `${path}-reserve`;
    this.#clock = clock;
    this.#held = statSync(this.#path, { throwIfNoEntry: false })?.size === reserveBytes;
  }

  /** The space has been given up, and the disk has had no room for it since. */
  get spent(): boolean {
    return this.#spent;
  }

  /** Gives the space up. Returns whether there was any. */
  release(): boolean {
    if (!this.#held) return false;
    rmSync(this.#path, { force: true });
    this.#held = false;
    this.#spent = true;
    return true;
  }

  /** Takes the space, unless it is held or the disk has less than twice as much. Never rejects. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  /** Resolves when nothing is being written any more. What is held stays, for the next process. */
  async close(): Promise<void> {
    await this.#filling;
  }

  async #fill(): Promise<void> {
    if (this.#held || this.#clock.now() < this.#retryAt) return;
    try {
      const { bavail, bsize } = await statfs(dirname(this.#path));
      if (bavail * bsize < 2 * reserveBytes) return;
      await write(this.#path);
      this.#held = true;
      this.#spent = false;
    } catch {
      this.#retryAt = this.#clock.now() + retryMs;
      await rm(this.#path, { force: true }).catch(() => undefined);
    }
  }
}

/** Random bytes: a file system that compresses would keep no space for zeros. */
async function write(path: string): Promise<void> {
  const chunk = randomFillSync(Buffer.allocUnsafe(chunkBytes));
  const file = await open(path, "w", 0o600);
  try {
    for (let at = 0; at < reserveBytes; at += chunkBytes) await file.write(chunk, 0, chunkBytes, at);
  } finally {
    await file.close();
  }
}
