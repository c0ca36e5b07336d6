import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const site = new URL("../dist/site/", import.meta.url);

it("loads at most 250 kB at first, gzipped, with the page where an organisation begins", async () => {
  const manifest: Record<string, Chunk> = JSON.parse(
    await readFile(new URL(".vite/manifest.json", site), "utf8"),
  );
  const files = new Set(["index.html"]);
  const visit = ({ file, imports = [], css = [] }: Chunk): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const style of css) files.add(style);
    for (const name of imports) {
      const chunk = manifest[name];
      if (chunk === undefined) throw new Error(`${name} is not in the manifest`);
      visit(chunk);
    }
  };
  const first = Object.entries(manifest).filter(
    ([name, { isEntry }]) => isEntry === true || name === "src/overview/overview-page.tsx",
  );
  expect(first).toHaveLength(2);
  for (const [, chunk] of first) visit(chunk);
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(new URL(file, site))).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(250_000);
});
