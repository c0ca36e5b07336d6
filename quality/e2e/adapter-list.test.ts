import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { adapters, notOverHttp } from "./adapter-list.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What the contract of adapters is run for: the titles of `testAdapter`. */
const titles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts"))
  .flatMap((name) => {
    const text = read(join("quality/e2e", name));
    return Array.from(text.matchAll(/^testAdapter\([^"]*"([^"]+)"/gm), ([, title = ""]) =>
      title.toLowerCase(),
    );
  });

it("ARCHITECTURE.md names adapters, which are packages on core", () => {
  expect(adapters).toEqual(expect.arrayContaining(["express", "next", ...notOverHttp]));
  for (const name of adapters)
    expect(JSON.parse(read(`packages/${name}/package.json`)).dependencies).toHaveProperty("@creditgate/core");
});

describe.each(adapters)("the adapter %s", (name) => {
  it("passes the contract: `testAdapter` is run with its name first in the title, or it is not over HTTP", () => {
    expect(titles.some((title) => title.startsWith(name))).toBe(!notOverHttp.includes(name));
  });

  it.each(["docs/gate/adapters.md", "docs/gate/disconnects.md"])("has its row in %s", (page) => {
    expect(read(page)).toMatch(new RegExp(`^\\| \\[\`${name}[\`/].*packages/${name}\\)`, "m"));
  });

  it("is named in README.md", () => {
    expect(read("README.md")).toContain(`(packages/${name})`);
  });
});
