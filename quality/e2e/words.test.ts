import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** There they are the field's too: ticks of a chart, blocks of addresses, words of a search or a label. */
const meantOtherwise = /^packages\/(control-plane|dashboard)\//;
const otherwise: ReadonlySet<string> = new Set(["tick", "ticks", "block", "blocks", "word", "words"]);

/** By the words of the glossary, the ones that they replaced: words of identifiers, as camel case and SQL part them. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  "settlement window, clock resolution": ["tick", "ticks"],
  reservation: ["block", "blocks"],
  heartbeat: ["beat", "beats", "beaten", "beating"],
  "sync request, sync loop": ["word", "words", "speak", "speaks", "speaking", "conversation"],
  "balance update, refresh": ["news"],
  "reported, extended, emitted, logged": ["tell", "tells", "told", "untold", "telling"],
  "figures, state": ["standing", "standings"],
  durable: ["lasting", "outlast", "outlasts"],
};

/** Of messages between parts: not even in comments and texts. A part returns, emits, logs, sends or receives. */
const speech = /\b(told|tells|heard|hears|news)\b/i;

/** Names of Node, of browsers, of providers and of ours that stand in the wire format. */
const allowed: ReadonlySet<string> = new Set([
  "setBlocking",
  "password",
  "NameWords",
  "untilBlocked",
  "content_block",
]);

const sources = readdirSync(join(root, "packages")).flatMap((name) => {
  const folder = `packages/${name}/src`;
  const files = readdirSync(join(root, folder), { recursive: true }) as string[];
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => `${folder}/${file}`);
});

/** The code without its comments and texts, line by line: SQL and Lua in templates count as code. */
function codeOf(text: string): string[] {
  const gap = (part: string) => part.replace(/[^\n]/g, " ");
  return text
    .replace(/\/\*[\s\S]*?\*\//g, gap)
    .replace(/"(?:[^"\\\n]|\\.)*"/g, gap)
    .replace(/(^|\s)\/\/.*$/gm, gap)
    .split("\n");
}

function replacedIn(text: string, path: string): string[] {
  return codeOf(text).flatMap((line, index) => {
    const names = line.match(/[A-Za-z_$][\w$]*/g) ?? [];
    return names
      .filter((name) => !allowed.has(name))
      .flatMap((name) => {
        const words = name
          .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
          .toLowerCase()
          .split("_")
          .filter((word) => !meantOtherwise.test(path) || !otherwise.has(word));
        return Object.entries(replaced).flatMap(([term, old]) =>
          words.some((word) => old.includes(word)) ? [`${path}:${index + 1}: ${name}: write ${term}`] : [],
        );
      });
  });
}

describe("the words of the glossary", () => {
  it.each(sources)("name what %s names", (path) => {
    const text = readFileSync(join(root, path), "utf8");
    expect(replacedIn(text, path)).toEqual([]);
    expect(text.split("\n").filter((line) => speech.test(line))).toEqual([]);
  });
});
