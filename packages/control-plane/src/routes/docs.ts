import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Router } from "express";
import { Problem } from "../http/problem.ts";
import { createAdminDocument } from "../openapi/admin-document.ts";
import { createDocument } from "../openapi/document.ts";

/** The viewer runs scripts of ours only, and loads nothing from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creditgate API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });
`;

/** The API described: a document for machines, a page for people. Neither needs a key. */
export function docsRoutes(): Router {
  const router = Router();
  const document = JSON.stringify(createDocument(version()));
  const adminDocument = JSON.stringify(createAdminDocument(version()));
  const viewer = locateViewer();

  router.get("/openapi.json", (_request, response) => {
    response.set("cache-control", "no-cache").type("application/json").send(document);
  });

  router.get("/admin/openapi.json", (_request, response) => {
    response.set("cache-control", "no-cache").type("application/json").send(adminDocument);
  });

  router.use("/docs", (_request, response, next) => {
    if (viewer === undefined) {
      throw new Problem(
        404,
        "viewer_missing",
        "expected the package swagger-ui-dist to be installed, received none; /openapi.json is there all the same",
      );
    }
    response.set({
      "cache-control": "no-cache",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    next();
  });
  router.get("/docs", (_request, response) => response.type("text/html").send(page));
  router.get("/docs/start.js", (_request, response) => response.type("text/javascript").send(start));
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    router.get(`/docs/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewer ?? "", cacheControl: false }),
    );
  }

  return router;
}

/** An optional dependency: an installation without the page is smaller. */
function locateViewer(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  } catch {
    return undefined;
  }
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "0";
}
