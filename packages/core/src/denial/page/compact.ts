import type { Denial } from "../denial.ts";
import { escaped } from "./escaped.ts";

/** For a bundle for the edge: what is wrong, and where to go. */
export function denialPage({ status, title, actionUrl }: Denial): string {
  const link = actionUrl === undefined ? "" : `<p><a href="${escaped(actionUrl)}">Continue</a></p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${status} ${title}</title><h1>${title}</h1>${link}`;
}
