import { Router } from "express";
import { type Html, html } from "../http/page-answer.ts";

/** The address of the service itself: where the dashboard and the references are, as a page for browsers, else as JSON. */
export function homeRoutes(dashboardFolder: string | undefined): Router {
  const router = Router();
  const links = {
    ...(dashboardFolder === undefined ? {} : { dashboard: "/dashboard" }),
    reference: "/docs",
    openapi: "/openapi.json",
    adminReference: "/admin/docs",
    adminOpenapi: "/admin/openapi.json",
  };
  const { html: page } = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Creditgate</title>
<h1>Creditgate control plane</h1>
<ul>
${link(links.dashboard, "Dashboard")}${link(links.reference, "API reference")}${link(links.adminReference, "Admin API reference")}</ul>
</html>
`;
  router.get("/", (request, response) => {
    response.set({
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      vary: "accept",
      "x-content-type-options": "nosniff",
    });
    if (request.accepts(["json", "html"]) === "html") response.type("text/html").send(page);
    else response.json(links);
  });
  return router;
}

function link(to: string | undefined, name: string): Html | undefined {
  return to === undefined ? undefined : html`<li><a href="${to}">${name}</a></li>\n`;
}
