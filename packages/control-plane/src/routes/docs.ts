import { readFileSync } from "node:fs";
import { Router } from "express";
import { html } from "../documents/html.ts";
import { createAdminDocument } from "../openapi/admin-document.ts";
import { createDocument } from "../openapi/document.ts";
import { referencePage, referencePolicy } from "../openapi/reference-page.ts";

/** Each API described: a document for machines, a page for people. None needs a key. */
export function docsRoutes(): Router {
  const router = Router();
  const apis = [
    {
      document: createDocument(version()),
      at: { source: "/openapi.json", page: "/docs" },
      other: html`Operators have <a href="/admin/docs">the admin API</a>.`,
    },
    {
      document: createAdminDocument(version()),
      at: { source: "/admin/openapi.json", page: "/admin/docs" },
      other: html`Applications have <a href="/docs">an API of their own</a>.`,
    },
  ];
  for (const { document, at, other } of apis) {
    const source = JSON.stringify(document);
    let page: string | undefined;
    router.get(at.source, (_request, response) => {
      response.set("cache-control", "no-cache").type("application/json").send(source);
    });
    router.get(at.page, (_request, response) => {
      page ??= referencePage(document, { source: at.source, other });
      response
        .set({
          "cache-control": "no-cache",
          "content-security-policy": referencePolicy,
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff",
        })
        .type("text/html")
        .send(page);
    });
  }
  return router;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "0";
}
