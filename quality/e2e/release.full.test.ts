import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifest = (path: string): Manifest => JSON.parse(read(path));
const published = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/package.json`)
  .filter((path) => existsSync(join(root, path)))
  .map((path): [string, Manifest] => [path, manifest(path)]);
const versions = read("docs/versions.md");

describe("what is published", () => {
  it.each(published)("can be found, used and updated: %s", (_, { keywords, license, ...rest }) => {
    expect(license).toBe("MIT");
    expect(keywords.length).toBeGreaterThan(3);
    const ranges = Object.entries({ ...rest.dependencies, ...rest.optionalDependencies });
    // From 11.5 on it is 3.6 MB instead of 0.9, a fifth of what a gate weighs.
    const others = ranges.filter(
      ([name, range]) => !(name === "lru-cache" ? /^~11\.2\./ : /^\^\d/).test(range),
    );
    expect(others).toEqual([]);
  });

  it("has one version", () => {
    const { version } = manifest("packages/core/package.json");
    expect(published.filter(([, one]) => one.version !== version).map(([path]) => path)).toEqual([]);
    expect(read("packages/core/src/values/version.ts")).toContain(`"${version}"`);
    expect(read("CHANGELOG.md")).toContain(`## ${version}\n`);
  });

  it("is published by nobody in particular not at all", () => {
    const identity: Record<string, string> = JSON.parse(read("quality/packaging/identity.json"));
    const missing = Object.keys(identity).filter((field) => identity[field] === "");
    // A person has filled it in.
    if (missing.length === 0) return;
    const { status, stderr } = spawnSync(process.execPath, ["quality/packaging/release.mjs", "--publish"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `release: nothing is published: quality/packaging/identity.json lacks ${missing.join(", ")}. Fill it in.\n`,
    );
  });

  it("is tested by the workflow as it is here", () => {
    expect(read(".github/workflows/ci.yml")).toMatch(/^ {6}- run: \.ci\/run$/m);
  });
});

it("runs no command by its name alone, which npm would look up as a package of somebody else", () => {
  const commands = published.flatMap(([, { bin = {} }]) => Object.keys(bin));
  expect(commands).toContain("creditgate");
  const found = git("grep", "-nIE", `\\b(npx|dlx|bunx)( --?[a-z]+)* (${commands.join("|")})\\b`);
  expect(found).toBe("");
});

describe("the table of supported versions", () => {
  const rows = Array.from(
    versions.matchAll(/^\| [^|]+ \| (?:`([^`]+)`)? ?\| ([\d, ]+) \|$/gm),
    ([, name, list = ""]): [string, number[]] => [name ?? "node", list.split(", ").map(Number)],
  );
  const { scripts, engines } = manifest("package.json");
  /** The words of the loop of a script of the matrix. */
  const loop = (script: string) =>
    (/ in ([\d ]+);/.exec(scripts[script] ?? "")?.[1] ?? "").split(" ").map(Number);

  /** The majors of each package that the tests install. */
  const tested = new Map<string, Set<number>>([
    ["node", new Set([Number.parseInt(engines.node.replace(">=", ""), 10), ...loop("test:matrix-node")])],
    ["next", new Set(loop("test:matrix-next"))],
  ]);
  for (const path of git("ls-files", "*package.json").trim().split("\n")) {
    // Those of `packaging` are tools, and of a template parts.
    if (path.startsWith("quality/packaging/") || path.includes("/templates/")) continue;
    const { dependencies, devDependencies } = manifest(path);
    for (const [alias, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      const [, name = alias, version = range] = /^npm:(.+)@(.+)$/.exec(range) ?? [];
      const major = Number.parseInt(version.replace("^", ""), 10);
      tested.set(name, (tested.get(name) ?? new Set()).add(major));
    }
  }

  it("has rows", () => {
    expect(rows.map(([name]) => name)).toEqual(expect.arrayContaining(["node", "express", "next"]));
  });

  it.each(rows)("has what the matrix tests: %s", (name, majors) => {
    expect(majors).toEqual([...(tested.get(name) ?? [])].sort((a, b) => a - b));
  });

  it.each(published)("begins where the packages do: %s", (_, { peerDependencies = {} }) => {
    for (const [name, range] of Object.entries(peerDependencies)) {
      const [, majors = []] = rows.find(([row]) => row === name) ?? [];
      expect(majors[0], name).toBe(Number.parseInt(range.replace(/^[^\d]*/, ""), 10));
    }
  });
});
