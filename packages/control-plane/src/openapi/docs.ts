import { Router } from "express";
import { html } from "../http/page-answer.ts";
import { packageVersion } from "../metrics/version.ts";
import { createAdminDocument } from "./admin-document.ts";
import { createDocument } from "./document.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

/** Each API described: a document for machines, a page for people. None needs a key. */
export function docsRoutes(): Router {
  const router = Router();
  const apis = [
    {
      document: createDocument(packageVersion()),
      at: { source: "/openapi.json", page: "/docs" },
      other: html`Operators have <a href="/admin/docs">the admin API</a>.`,
    },
    {
      document: createAdminDocument(packageVersion()),
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
