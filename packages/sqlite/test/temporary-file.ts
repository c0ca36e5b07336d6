import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A path in a folder of its own, which goes when the test ends. */
export function temporaryFile(name = "usage.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "creditgate-outbox-"));
  folders.push(folder);
  return join(folder, name);
}
