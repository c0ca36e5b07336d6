import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the pages; `undefined` where `@creditgate/dashboard` is not installed, or not built. */
export function locateDashboard(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve("@creditgate/dashboard/package.json");
    const folder = path.join(path.dirname(manifest), "dist/site");
    return existsSync(path.join(folder, "index.html")) ? folder : undefined;
  } catch {
    return undefined;
  }
}
