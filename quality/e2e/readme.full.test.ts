import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { adapters } from "./adapter-list.ts";

const root = resolve(import.meta.dirname, "../..");

describe("what the README says to install", () => {
  it("is packed with all of ours that it needs", async () => {
    const text = await readFile(join(root, "README.md"), "utf8");
    const packed = Array.from(text.matchAll(/-w packages\/(\S+)/g), ([, name = ""]) => name);
    expect(packed).toContain("control-plane");
    for (const name of packed) {
      const { dependencies = {} } = JSON.parse(
        await readFile(join(root, "packages", name, "package.json"), "utf8"),
      );
      for (const needed of Object.keys(dependencies).filter((one) => one.startsWith("@creditgate/"))) {
        expect(packed).toContain(needed.replace("@creditgate/", ""));
      }
    }
  });

  it("promises nothing in a line that has no room for its conditions", async () => {
    for (const name of await readdir(join(root, "packages"))) {
      const { description } = JSON.parse(
        await readFile(join(root, "packages", name, "package.json"), "utf8"),
      );
      expect(description).not.toMatch(/never|always|guarantee/i);
      expect(await readFile(join(root, "packages", name, "README.md"), "utf8")).toContain(
        "(../../README.md#install)",
      );
    }
  });
});

describe("the handlers of the packages' READMEs", () => {
  it.each(adapters)("of %s bill a client that disconnects, and survive a report that fails", async (name) => {
    const text = await readFile(join(root, "packages", name, "README.md"), "utf8");
    const code = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = ""]) => block);
    const optioned = code.filter((block) => /\bhold: \d/.test(block) && !block.includes("creditsProxy"));
    expect(optioned.length).toBeGreaterThan(0);
    for (const block of optioned) expect(block).toContain("defaultUsage");
    // The second argument of then() does not see what the first one throws.
    expect(text).not.toMatch(/\.then\(.*report.*, console\.error\)/);
  });
});
