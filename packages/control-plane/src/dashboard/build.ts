import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the pages, or what has to be done to have them. */
export type DashboardBuild =
  | { readonly folder: string; readonly fix?: undefined }
  | { readonly folder?: undefined; readonly fix: string };

/** Looks for `@creditgate/dashboard`. A clone has the package, but not the pages, until they are built. */
export function locateDashboard(
  resolve: (name: string) => string = createRequire(import.meta.url).resolve,
): DashboardBuild {
  try {
    const manifest = resolve("@creditgate/dashboard/package.json");
    const folder = path.join(path.dirname(manifest), "dist/site");
    return existsSync(path.join(folder, "index.html")) ? { folder } : { fix: "npm run build:dashboard" };
  } catch {
    return { fix: "npm install @creditgate/dashboard" };
  }
}
