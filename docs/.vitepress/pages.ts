import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";

/** The repository: its Markdown is the site's content, and stays readable where it is. */
export const root: string = resolve(import.meta.dirname, "../..");

/** What coding agents read. */
export const skill = "skills/creditgate/SKILL.md";

const errorFolder = "packages/control-plane/errors";

/** Which files are pages, also those of docs/reference if `npm run docs` has written them, and the path of each on the site, without its ending. */
const places: readonly (readonly [files: readonly string[], pathOf: (file: string) => string])[] = [
  [["README.md"], () => "index"],
  [["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], (file) => stem(file).toLowerCase()],
  [["docs/README.md"], () => "contents"],
  [[skill], () => "skill"],
  [
    markdownIn("docs", true),
    (file) =>
      stem(file)
        .replace(/^docs\//, "")
        .replace(/README$/, "index"),
  ],
  [markdownIn("decisions"), stem],
  [markdownIn(errorFolder), (file) => `errors/${posix.basename(stem(file))}`],
  [["packages/control-plane/OPERATIONS.md"], () => "control-plane/operations"],
  [readmesIn("packages"), (file) => posix.dirname(file)],
  [readmesIn("examples"), (file) => posix.dirname(file).replace(/^examples$/, "examples/index")],
];

/** By file of the repository, its path on the site. */
export const pages: ReadonlyMap<string, string> = new Map(
  places.toReversed().flatMap(([files, pathOf]) => files.map((file) => [file, pathOf(file)] as const)),
);

/** Folders that stand for a page which is not the README in them. */
const folders: Readonly<Record<string, string>> = {
  [errorFolder]: "docs/errors.md",
  decisions: "docs/decisions.md",
};

/** The address of the page that a link leads to; `undefined` if it leads to a file that the site does not have. */
export function addressOf(link: string, from: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
  const page = pages.get(folders[target] ?? target) ?? pages.get(posix.join(target, "README.md"));
  if (page === undefined) return undefined;
  const address = `/${page}.html`.replace(/(^|\/)index\.html$/, "$1");
  return anchor === undefined ? address : `${address}#${anchor}`;
}

/** The heading of a page, as plain text. */
export function titleOf(file: string): string {
  const [, title] = /^# (.*)$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  if (title === undefined) throw new Error(`${file}: expected a heading, found none`);
  return title.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The address of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function stem(file: string): string {
  return file.replace(/\.md$/, "");
}

function markdownIn(folder: string, deep = false): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory())
      return deep && !/^(node_modules|dist|\.)/.test(entry.name) ? markdownIn(path, true) : [];
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function readmesIn(folder: string): string[] {
  const inner = readdirSync(join(root, folder)).map((name) => posix.join(folder, name));
  return [folder, ...inner]
    .map((path) => posix.join(path, "README.md"))
    .filter((path) => existsSync(join(root, path)));
}
