import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { adapters, notOverHttp } from "./adapter-list.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What the contract of adapters is run for: the titles of `testAdapter`. */
const titles = ["quality/e2e", ...adapters.map((name) => `packages/${name}/test`)].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) =>
      Array.from(read(join(folder, name)).matchAll(/^testAdapter\([^"]*"([^"]+)"/gm), ([, title = ""]) =>
        title.toLowerCase(),
      ),
    ),
);

it("docs/gate/adapters.md names adapters, which are packages on core", () => {
  expect(adapters).toEqual(expect.arrayContaining(["express", "next", ...notOverHttp]));
  for (const name of adapters)
    expect(JSON.parse(read(`packages/${name}/package.json`)).dependencies).toHaveProperty("@creditgate/core");
});

describe.each(adapters)("the adapter %s", (name) => {
  it("passes the contract: `testAdapter` is run with its name first in the title, or it is not over HTTP", () => {
    expect(titles.some((title) => title.startsWith(name))).toBe(!notOverHttp.includes(name));
  });

  it("has its row in both tables of docs/gate/adapters.md", () => {
    const [, ...sections] = read("docs/gate/adapters.md").split(/^\| (?:package|adapter) \|/m);
    const row = new RegExp(`^\\| \\[\`${name}[\`/].*packages/${name}\\)`, "m");
    expect(sections.map((section) => row.test(section))).toEqual([true, true]);
  });

  it("is compiled: tsconfig.json refers to it", () => {
    expect(read("tsconfig.json")).toContain(`"packages/${name}"`);
  });
});
