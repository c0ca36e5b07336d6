import type { ServerResponse } from "node:http";

/** A page of HTML, for people. */
export interface PageAnswer {
  readonly status: 200;
  readonly page: string;
  /** What a browser calls the page where it is saved, without its ending: plain ASCII. */
  readonly name: string;
  readonly contentSecurityPolicy: string;
}

export function sendPage(
  response: ServerResponse,
  { status, page, name, contentSecurityPolicy }: PageAnswer,
): void {
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-disposition": `inline; filename="${name}.html"`,
    "content-length": Buffer.byteLength(page),
    "content-security-policy": contentSecurityPolicy,
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  response.end(page);
}
