import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");

function markdownIn(folder: string, deep = true): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return deep && !/^(?:node_modules$|reference$|\.)/.test(entry.name) ? markdownIn(path) : [];
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const readmes = [
  "README.md",
  ...["packages", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => join(folder, name, "README.md"))
      .filter((path) => existsSync(join(root, path))),
  ),
];
/** What the site is made of: a page for each code among it. */
const skill = "skills/creditgate/SKILL.md";
const prose = [...markdownIn("docs"), ...markdownIn("packages/control-plane/errors"), skill];
const pages = [...new Set([...markdownIn("", false), ...prose, ...readmes])];

/** A sentence ends at its mark, or with its paragraph or item. Code, tables and headings have none. */
function sentencesOf(text: string): string[] {
  return withoutCode(text)
    .replace(/<[^>]+>/g, "")
    .replace(/^\s*(\||#).*$/gm, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((block) => block.replace(/^\s*(?:[-*]|\d+\.)\s+/, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1"))
    .flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.!?:])["”)*]*\s+(?=["“(*`_]*[A-Z0-9`])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(" ").length > 2);
}

/** The address of each heading, as GitHub makes it. */
function anchorsOf(text: string): string[] {
  const headings = Array.from(withoutCode(text).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

function deadLinks(page: string): string[] {
  const text = withoutCode(readFileSync(join(root, page), "utf8"));
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? join(root, page) : resolve(root, dirname(page), path);
    const found = statSync(target, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (anchor === undefined) return false;
    const file = found.isDirectory() ? join(target, "README.md") : target;
    return !anchorsOf(readFileSync(file, "utf8")).includes(anchor);
  });
}

describe("what people read", () => {
  it("starts with the two commands that need nothing but Node and npm", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    expect(readme).toMatch(/^npm ci && npm run demo$/m);
    expect(readme).toMatch(/^npm ci && npm test\b/m);
  });

  it.each(readmes)("fits three screens: %s", (page) => {
    expect(statSync(join(root, page)).size).toBeLessThanOrEqual(6_000);
  });

  it("has a skill for coding agents that is short, and named by its folder", () => {
    const text = readFileSync(join(root, skill), "utf8");
    expect(text.split("\n").length).toBeLessThanOrEqual(120);
    const [, name, description = ""] = /^---\nname: (.*)\ndescription: (.*)\n/.exec(text) ?? [];
    expect(name).toBe(basename(dirname(skill)));
    expect(description.length).toBeLessThanOrEqual(1_024);
  });

  it.each([...readmes, ...prose])("has short sentences: %s", (page) => {
    const sentences = sentencesOf(readFileSync(join(root, page), "utf8"));
    const words = sentences.map((sentence) => sentence.split(" ").length);
    const average = words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length);
    expect(average).toBeLessThanOrEqual(17);
    expect(sentences.filter((_, at) => (words[at] ?? 0) > 30)).toEqual([]);
  });

  it("names source files that there are", () => {
    const sources = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: root, encoding: "utf8" }).split(
      "\n",
    );
    // Their paths in the repository, in `packages`, in a package and in its source.
    const names = new Set(
      sources.flatMap((path) => {
        const [, name, own = ""] = /^packages\/([^/]+)\/(.*)$/.exec(path) ?? [];
        return name === undefined ? [path] : [path, `${name}/${own}`, own, own.replace(/^src\//, "")];
      }),
    );
    const named = ["ARCHITECTURE.md", ...markdownIn("docs")].flatMap((page) =>
      Array.from(
        readFileSync(join(root, page), "utf8").matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.tsx?)`/g),
        ([, path = ""]) => path,
      ),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !names.has(path))).toEqual([]);
  });

  it.each(pages)("has no dead link: %s", (page) => {
    expect(deadLinks(page)).toEqual([]);
  });
});
