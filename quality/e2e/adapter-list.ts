import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const architecture = readFileSync(join(resolve(import.meta.dirname, "../.."), "ARCHITECTURE.md"), "utf8");

/** The packages that ARCHITECTURE.md calls adapters. */
export const adapters: readonly string[] = architecture.split("\n").flatMap((line) => {
  const [names = ""] = /^\| `.*(?=\| an adapter\b)/.exec(line) ?? [];
  return Array.from(names.matchAll(/`([\w-]+)`/g), ([, name = ""]) => name);
});

/** Those whose calls are no HTTP requests of their own, and which do not pass `testAdapter`. */
export const notOverHttp: readonly string[] = ["mcp", "trpc"];
