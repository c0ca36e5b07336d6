import { chmodSync, closeSync, openSync } from "node:fs";

const privately = 0o600;

/** Makes sure that the file is there, and that nobody but its owner reads or writes it. SQLite gives its `-wal` the same mode. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", privately));
  } catch (error) {
    // It is not opened when it is there: closing it again would end the locks that this process has on it.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  chmodSync(path, privately);
}
