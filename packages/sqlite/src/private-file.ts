import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { OutboxError } from "./outbox-error.ts";

const privately = 0o600;

/** Makes sure that the file is there, and that no one but its owner reads or writes it. SQLite gives its `-wal` the same mode. */
export function createPrivately(path: string): void {
  refuseDirectory(path);
  try {
    closeSync(openSync(path, "wx", privately));
  } catch (error) {
    // It is not opened when it is there: closing it again would end the locks that this process has on it.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") {
      // To make one would hide that the volume which outlives the process is not there.
      throw new OutboxError(
        "unavailable",
        `outbox ${path}: expected a directory that exists, received ${dirname(path)}, which does not: mount its volume, or create it with mkdir -p`,
        error,
      );
    }
    if (code !== "EEXIST") throw error;
  }
  chmodSync(path, privately);
}

/** SQLite says of a directory only that it cannot be opened; and its mode is not ours to change. */
export function refuseDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new OutboxError(
    "unavailable",
    `outbox ${path}: expected the path of a file, received a directory: name a file in it`,
  );
}
