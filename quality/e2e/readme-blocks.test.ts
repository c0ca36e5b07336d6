import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ambientModules, expressYours, given } from "./readme/given.ts";

const root = resolve(import.meta.dirname, "../..");

/** Pages with examples, by name: `home` is the README, a package's name its README, `docs/…` a page of the documentation. */
const pages = new Map([["home", await readFile(join(root, "README.md"), "utf8")]]);
for (const name of await readdir(join(root, "packages"))) {
  pages.set(name, await readFile(join(root, "packages", name, "README.md"), "utf8"));
}
for (const file of await readdir(join(root, "docs"), { recursive: true })) {
  if (file.endsWith(".md") && !/^(?:node_modules|reference|\.vitepress)\//.test(file)) {
    pages.set(`docs/${file.slice(0, -".md".length)}`, await readFile(join(root, "docs", file), "utf8"));
  }
}

/** By its file, an example of a page with what its reader has before it. */
const examples = new Map<string, string>();
for (const [name, text] of pages) {
  for (const [at, { kind, code }] of codeOf(name, text).entries()) {
    examples.set(`${name}/${at + 1}.${kind}`, `${given[name]?.[at] ?? ""}\n${code}\nexport {};\n`);
  }
}

/** What is left out in an example is nothing. */
function codeOf(page: string, text: string): { kind: string; code: string }[] {
  const blocks = Array.from(text.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm), ([, kind = "", code = ""]) => ({
    kind,
    code: code.replace("{ … }", "{}"),
  }));
  // Applications of several files: start.full.test.ts and guides.full.test.ts compile and run them.
  const isRun = /^docs\/(?:start|guides\/|gate\/serverless$)/.test(page);
  return isRun ? blocks.filter(({ code }) => !/^\/\/ [\w./-]+\.ts\b/.test(code)) : blocks;
}

let folder: string;
let complaints: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-blocks-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
  await writeFile(join(folder, "ambient.d.ts"), ambientModules);
  for (const name of pages.keys()) {
    await mkdir(join(folder, name), { recursive: true });
    await cp(join(import.meta.dirname, "readme/doors.ts"), join(folder, name, "yours.ts"));
  }
  await writeFile(join(folder, "express/yours.ts"), expressYours);
  for (const [file, code] of examples) await writeFile(join(folder, file), code);
  // Those that others import.
  await writeFile(join(folder, "next/gate.ts"), examples.get("next/1.ts") ?? "");
  await writeFile(join(folder, "react/credits.tsx"), examples.get("react/3.tsx") ?? "");
  await writeFile(join(folder, "docs/gate/nextjs/answer.ts"), examples.get("docs/gate/nextjs/1.ts") ?? "");
  complaints = await compile();
});
afterAll(() => rm(folder, { recursive: true }));

describe("the examples of the READMEs and of the documentation", () => {
  it("are there", () => {
    expect(examples.size).toBeGreaterThan(30);
    expect(Object.keys(given).filter((name) => !pages.has(name))).toEqual([]);
    const elsewhere = complaints
      .split("\n")
      .filter((line) => /error TS/.test(line) && !examples.has(line.split("(", 1).join()));
    expect(elsewhere).toEqual([]);
  });
  it.each([...examples.keys()])("compile as they stand, strictly: %s", (file) => {
    // An example that is the body of a function may return.
    const lines = complaints
      .split("\n")
      .filter((line) => line.startsWith(file) && !line.includes("error TS1108"));
    expect(lines).toEqual([]);
  });
});

/** What TypeScript says of all of them. */
async function compile(): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    jsx: "react-jsx",
    noEmit: true,
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    paths: { "@/*": ["./next/*"] },
    types: ["node"],
    lib: ["es2023", "dom", "dom.iterable"],
  };
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["**/*.ts", "**/*.tsx"] }),
  );
  return promisify(execFile)(process.execPath, [tsc, "-p", "."], { cwd: folder }).then(
    () => "",
    ({ stdout }) => stdout,
  );
}
