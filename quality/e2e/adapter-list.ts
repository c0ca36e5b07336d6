import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const page = readFileSync(join(resolve(import.meta.dirname, "../.."), "docs/gate/adapters.md"), "utf8");

/** The packages of the tables of docs/gate/adapters.md. */
export const adapters: readonly string[] = [
  ...new Set(Array.from(page.matchAll(/^\| \[`[^|]*packages\/([\w-]+)\)/gm), ([, name = ""]) => name)),
];

/** Those whose calls are no HTTP requests of their own, and which do not pass `testAdapter`. */
export const notOverHttp: readonly string[] = ["mcp", "trpc"];
