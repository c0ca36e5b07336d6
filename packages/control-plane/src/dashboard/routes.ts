import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Response, Router, static as staticFiles } from "express";
import { Problem } from "../http/problem.ts";

/** The pages load nothing from elsewhere, run no script that is not a file of ours, and stand in no frame. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The names of these files have a hash of what is in them. */
const assets = "/assets/";

/** The pages below `/dashboard`, where they are built. What they show they get from the admin API, like anyone else. */
export function dashboardRoutes(folder: string | undefined): Router {
  const router = Router();
  if (folder === undefined) return router;
  const root = folder;

  const dashboard = Router();
  dashboard.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  dashboard.use(
    staticFiles(root, {
      index: false,
      redirect: false,
      dotfiles: "ignore",
      cacheControl: false,
      etag: true,
      setHeaders: (response: Response, file) => {
        const isHashed = file.slice(root.length).replaceAll("\\", "/").startsWith(assets);
        response.set("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    }),
  );
  dashboard.get("/{*page}", (request, response) => {
    // A page of an older version asks for a file that is gone: a page in its place would be run as a script.
    if (request.path.startsWith(assets))
      throw new Problem(404, "not_found", "expected a file of the dashboard");
    response.set("cache-control", "no-cache").sendFile("index.html", { root, cacheControl: false });
  });
  router.use("/dashboard", dashboard);
  return router;
}

/** The folder of the pages, or what has to be done to have them. */
type DashboardBuild =
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
