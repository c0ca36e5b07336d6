import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adapters } from "./adapter-list.ts";

const root = resolve(import.meta.dirname, "../..");
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
const packages = readdirSync(join(root, "packages")).sort();

/** The packages of ours that a package may import: what its package.json declares. */
function declared(name: string): string[] {
  const text = readFileSync(join(root, "packages", name, "package.json"), "utf8");
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(text);
  const bundled = name === "dashboard" ? devDependencies : {};
  return Object.keys({ ...dependencies, ...peerDependencies, ...bundled })
    .filter((one) => one.startsWith("@creditgate/"))
    .map((one) => one.slice("@creditgate/".length))
    .sort();
}

/** Only there: Node's modules. */
const usesNode = /"!packages\/\{([\w,-]+)\}/
  .exec(readFileSync(join(root, "biome.json"), "utf8"))?.[1]
  ?.split(",");

/** What ARCHITECTURE.md has in its table: the packages, with the text of their imports. */
const table = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("## Who imports whom")[1];
const quoted = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const stated = (table?.split("\n## ")[0] ?? "").split("\n").flatMap((line) => {
  const [, names = "", , imports = ""] = /^\| [`[]/.test(line) ? line.split("|") : [];
  const packagesOf = names.includes("(docs/gate/adapters.md)") ? adapters : quoted(names);
  return packagesOf.map((name) => [name, imports] as const);
});

it("ARCHITECTURE.md has the imports of every package as package.json declares them", () => {
  const packagesIn = (imports: string) =>
    [...new Set(quoted(imports).map((one) => one.split("/")[0]))].sort();
  expect(Object.fromEntries(stated.map(([name, imports]) => [name, packagesIn(imports)]))).toEqual(
    Object.fromEntries(packages.map((name) => [name, declared(name)])),
  );
});

it("only packages that ARCHITECTURE.md names with them import what is for tests, operators and services", () => {
  const restricted = /^(?:core\/testing|fleet\/operator|control-plane)(?:\/|$)/;
  const found: string[] = [];
  const expected: string[] = [];
  for (const [name, imports] of stated) {
    const [ofSource] = imports.split("; its tests");
    const source = join(root, "packages", name, "src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((one) =>
      /\.tsx?$/.test(one),
    );
    const specifiers = files.flatMap((file) => {
      const text = readFileSync(join(source, file), "utf8");
      return [...text.matchAll(/^(?! \*).*\b(?:from|import)[ (]"@creditgate\/([^"]+)"/gm)].map(
        ([, one = ""]) => one,
      );
    });
    const used = new Set(specifiers.filter((one) => restricted.test(one) && !one.startsWith(`${name}/`)));
    found.push(...[...used].map((one) => `${name}: ${one}`));
    expected.push(
      ...quoted(ofSource)
        .filter((one) => restricted.test(one))
        .map((one) => `${name}: ${one}`),
    );
  }
  expect(found.sort()).toEqual(expected.sort());
  expect(expected).toContain("conformance: core/testing");
});

it("package.json's scripts name tests and files that there are", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const paths = Object.values<string>(scripts).flatMap(
    (script) => script.match(/(?<=[ ./])quality\/[\w/.-]+/g) ?? [],
  );
  const written = paths.filter((path) => !path.includes("/dist/"));
  const isThere = (path: string) =>
    readdirSync(join(root, dirname(path))).some((name) => name.startsWith(basename(path)));
  expect(written.length).toBeGreaterThan(10);
  expect(written.filter((path) => !isThere(path))).toEqual([]);
  // A path that begins elsewhere finds no test, and the command then passes over it.
  const relative = Object.values<string>(scripts).filter((script) =>
    / (?:e2e|simulation|bench)\//.test(script),
  );
  expect(relative).toEqual([]);
});

/** The files of a package's source, with what each imports of them: types too, and what `imports` resolve to. */
function importsWithin(name: string): Map<string, string[]> {
  const folder = join(root, "packages", name);
  const { imports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" });
  const files = names.filter((one) => /\.tsx?$/.test(one)).map((one) => join(folder, "src", one));
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, "utf8");
      const specifiers = [...text.matchAll(/\b(?:from|import)[ (]"([.#][^"]+)"/g)].map(([, one = ""]) => one);
      const targets = specifiers.flatMap((one) =>
        one.startsWith("#")
          ? [...JSON.stringify(imports[one]).matchAll(/\.\/src\/[^"]+/g)].map(([path]) => join(folder, path))
          : [join(dirname(file), one)],
      );
      return [file, targets.filter((target) => files.includes(target))];
    }),
  );
}

it("no source imports in a circle, also by types, and by `imports`, which lint does not follow", () => {
  let found = 0;
  for (const name of packages) {
    const left = importsWithin(name);
    for (const targets of left.values()) found += targets.length;
    // What imports none of those left is in no circle, nor what none of them imports.
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      const imported = new Set([...left.values()].flat());
      for (const [file, targets] of left)
        if (!imported.has(file) || !targets.some((one) => left.has(one))) left.delete(file);
    }
    expect([...left.keys()]).toEqual([]);
  }
  expect(found).toBeGreaterThan(3_500);
});

it("no folder of a source imports in a circle; a folder within one is a part of it", () => {
  const inCircle: string[] = [];
  for (const name of packages) {
    const source = join(root, "packages", name, "src");
    const folderOf = (file: string) => relative(source, file).split("/").slice(0, -1)[0] ?? ".";
    const left = new Map<string, Set<string>>();
    for (const [file, targets] of importsWithin(name)) {
      const folder = folderOf(file);
      const others = targets.map(folderOf).filter((other) => other !== folder);
      left.set(folder, new Set([...(left.get(folder) ?? []), ...others]));
    }
    // What imports none of those left is in no circle.
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      for (const [folder, others] of left)
        if (![...others].some((other) => left.has(other))) left.delete(folder);
    }
    inCircle.push(...[...left.keys()].map((folder) => `${name}/src/${folder}`));
  }
  expect(inCircle).toEqual([]);
});

it("core has no source outside a folder but the index", () => {
  const files = readdirSync(join(root, "packages/core/src")).filter((name) => name.endsWith(".ts"));
  expect(files).toEqual(["index.ts"]);
});

describe("lint", () => {
  /** A folder with our rules, so that no build that runs meanwhile sees a probe. */
  let elsewhere: string;
  beforeAll(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), "creditgate-boundaries-"));
    await cp(join(root, "biome.json"), join(elsewhere, "biome.json"));
    for (const name of packages) {
      await mkdir(join(elsewhere, "packages", name, "src"), { recursive: true });
      const file = join("packages", name, "package.json");
      await cp(join(root, file), join(elsewhere, file));
    }
  });
  afterAll(() => rm(elsewhere, { recursive: true }));

  /** What a rule refuses in these files, as `file:line`. */
  async function refused(rule: string, files: Record<string, string>): Promise<string[]> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(elsewhere, file)), { recursive: true });
      await writeFile(join(elsewhere, file), text);
    }
    const options = [`--only=${rule}`, "--max-diagnostics=none", "--vcs-enabled=false", "--reporter=json"];
    const { stdout } = spawnSync(process.execPath, [biome, "lint", ...options, ...Object.keys(files)], {
      cwd: elsewhere,
      encoding: "utf8",
    });
    const { diagnostics }: { diagnostics: { location: { path: string; start: { line: number } } }[] } =
      JSON.parse(stdout);
    return diagnostics.map(({ location: { path, start } }) => `${path}:${start.line}`).sort();
  }
  const probe = (name: string) => `packages/${name}/src/probe.ts`;
  const importing = (specifiers: string[]) =>
    specifiers.map((one) => `import ${JSON.stringify(one)};\n`).join("");

  it("refuses imports in a circle, also of types alone", async () => {
    const files = {
      "packages/core/src/one.ts": 'import type { Two } from "./two.ts";\nexport type One = Two;\n',
      "packages/core/src/two.ts": 'import type { One } from "./one.ts";\nexport type Two = One;\n',
    };
    expect(await refused("suspicious/noImportCycles", files)).not.toEqual([]);
  });

  it("lets a package import of ours what it declares, and nothing else", async () => {
    const files: Record<string, string> = {};
    const expected: string[] = [];
    for (const name of packages) {
      const others = packages.filter((one) => one !== name);
      files[probe(name)] = importing(others.map((one) => `@creditgate/${one}`));
      others.forEach((one, index) => {
        if (!declared(name).includes(one)) expected.push(`${probe(name)}:${index + 1}`);
      });
    }
    expect(await refused("correctness/noUndeclaredDependencies", files)).toEqual(expected.sort());
  });

  it("refuses what only tests of a package use: `ai` imports no SDK", async () => {
    const files = { [probe("ai")]: importing(["openai", "ai", "@google/genai"]) };
    const expected = [1, 2, 3].map((line) => `${probe("ai")}:${line}`);
    expect(await refused("correctness/noUndeclaredDependencies", files)).toEqual(expected);
  });

  it("refuses Node's modules in packages that run at the edge or in browsers", async () => {
    const files = Object.fromEntries(
      packages.map((name) => [probe(name), importing(["node:fs", "node:stream/web"])]),
    );
    expect(packages).toEqual(expect.arrayContaining(usesNode ?? ["none"]));
    const withoutNode = packages.filter((name) => !usesNode?.includes(name));
    const expected = withoutNode.flatMap((name) => [1, 2].map((line) => `${probe(name)}:${line}`));
    expect(await refused("style/noRestrictedImports", files)).toEqual(expected);
  });

  it("refuses the route of `react` in what browsers load", async () => {
    expect(
      await refused("style/noRestrictedImports", { [probe("react")]: importing(["./route/index.ts"]) }),
    ).toEqual([`${probe("react")}:1`]);
  });
});
