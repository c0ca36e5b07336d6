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

/** HTML that is safe to send: what came from outside is escaped in it. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[] | undefined;

/** Writes HTML; text that is put in is escaped, and so is each quote, for attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = strings.map((text, index) => text + writtenPart(parts[index]));
  return { html: written.join("") };
}

function writtenPart(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
