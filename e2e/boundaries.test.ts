import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

/** Who may import whom: ARCHITECTURE.md. */
const mayImport: Record<string, { ours: string[]; node: boolean }> = {
  client: { ours: [], node: false },
  core: { ours: ["client"], node: false },
  edge: { ours: ["core"], node: false },
  react: { ours: [], node: false },
  next: { ours: ["core", "edge"], node: true },
  express: { ours: ["core"], node: true },
  fastify: { ours: ["core"], node: true },
  koa: { ours: ["core"], node: true },
  nestjs: { ours: ["core"], node: true },
  mcp: { ours: ["core"], node: false },
  trpc: { ours: ["core"], node: false },
  sqlite: { ours: ["core", "core/operator"], node: true },
  postgres: { ours: ["core", "core/operator"], node: true },
  redis: { ours: ["core", "core/operator"], node: false },
  cloudflare: { ours: ["client", "core", "core/parts"], node: false },
  ai: { ours: ["core", "core/parts"], node: false },
  "control-plane": { ours: ["client", "client/admin"], node: true },
  dashboard: { ours: ["client", "client/admin"], node: false },
};
const packages = Object.keys(mayImport);

/** A folder with our rules, so that no probe is ever seen by a build that runs meanwhile. */
let elsewhere: string;
beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), "creditgate-boundaries-"));
  await cp(join(root, "biome.json"), join(elsewhere, "biome.json"));
});
afterAll(() => rm(elsewhere, { recursive: true }));

describe("lint", () => {
  it("refuses imports in a circle, also of types alone", async () => {
    const folder = join(elsewhere, "packages/core/src");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "one.ts"), 'import type { Two } from "./two.ts";\nexport type One = Two;\n');
    await writeFile(join(folder, "two.ts"), 'import type { One } from "./one.ts";\nexport type Two = One;\n');
    const options = ["--only=suspicious/noImportCycles", "--vcs-enabled=false", "--reporter=json"];
    const { stdout } = spawnSync(process.execPath, [biome, "lint", ...options, folder], {
      cwd: elsewhere,
      encoding: "utf8",
    });
    const { diagnostics }: { diagnostics: { category: string }[] } = JSON.parse(stdout);
    expect(diagnostics.map(({ category }) => category)).toContain("lint/suspicious/noImportCycles");
    await rm(join(folder, "one.ts"));
    await rm(join(folder, "two.ts"));
  });

  it("finds no source of core outside a folder but the gate, its options and the index", () => {
    const files = readdirSync(join(root, "packages/core/src")).filter((name) => name.endsWith(".ts"));
    expect(files.sort()).toEqual(["gate-options.ts", "gate.ts", "index.ts"]);
  });

  it("knows every package", () => {
    expect(packages.sort()).toEqual(readdirSync(join(root, "packages")).sort());
  });

  describe.each(packages)("in packages/%s", (name) => {
    async function refusals(specifiers: string[]): Promise<string[]> {
      const folder = join(elsewhere, "packages", name, "src");
      await mkdir(folder, { recursive: true });
      const imports = specifiers.map((one) => `import ${JSON.stringify(one)};\n`);
      await writeFile(join(folder, "probe.ts"), imports.join(""));
      const options = [
        "--only=style/noRestrictedImports",
        "--max-diagnostics=none",
        "--vcs-enabled=false",
        "--reporter=json",
      ];
      const { stdout } = spawnSync(process.execPath, [biome, "lint", ...options, folder], {
        cwd: elsewhere,
        encoding: "utf8",
      });
      const { diagnostics }: { diagnostics: { category: string }[] } = JSON.parse(stdout);
      return diagnostics.map(({ category }) => category);
    }

    it("lets in what it may import", async () => {
      const { ours, node } = mayImport[name] ?? { ours: [], node: false };
      expect(
        await refusals([...ours.map((one) => `@creditgate/${one}`), ...(node ? ["node:fs"] : [])]),
      ).toEqual([]);
    });

    it("refuses the rest", async () => {
      const { ours, node } = mayImport[name] ?? { ours: [], node: false };
      // The admin API is no business of a gate, nor of its bundle.
      const entries = [...packages, "client/admin", "core/parts", "core/operator"];
      const others = entries.filter((one) => !ours.includes(one)).map((one) => `@creditgate/${one}`);
      const forbidden = [
        ...others,
        "@creditgate/core/testing",
        ...(node ? [] : ["node:fs", "node:stream/web"]),
      ];
      expect(await refusals(forbidden)).toEqual(forbidden.map(() => "lint/style/noRestrictedImports"));
    });
  });
});
