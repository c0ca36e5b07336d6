import { execFile } from "node:child_process";
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adapters } from "./adapter-list.ts";
import { packInto } from "./tarballs.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** `npm run test:packed` compiles in every way that a consumer can resolve modules; else in the oldest and the newest. */
const isAll = process.env.CREDITGATE_PACKED === "all";

let folder: string;
let packages: string[];
let tarballs: ReadonlyMap<string, string>;
let standIn: Server;
const reports: unknown[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-packed-"));
  packages = await readdir(join(root, "packages"));
  tarballs = await packInto(folder, packages);
  standIn = createServer(async (request, response) => {
    if (request.method === "POST") {
      let body = "";
      for await (const chunk of request) body += chunk;
      reports.push(JSON.parse(body));
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ balances: { ai_credits: wallet } }));
  });
  await new Promise<void>((listening) => standIn.listen(0, "127.0.0.1", listening));
}, 120_000);

afterAll(async () => {
  standIn?.close();
  await rm(folder, { recursive: true });
});

/** Of a gate, its client and an adapter, with what they depend on. */
const mostMegabytes = 16;

/** The frameworks of adapters and of `react`, with their types, but for what is installed besides. */
async function frameworks(): Promise<readonly string[]> {
  const peers: string[] = [];
  for (const name of [...adapters, "react"]) {
    const { peerDependencies = {} } = JSON.parse(
      await readFile(join(root, "packages", name, "package.json"), "utf8"),
    );
    // Of names in a scope all.
    peers.push(...Object.keys(peerDependencies).map((peer) => peer.split("/")[0] ?? peer));
  }
  const typed = await readdir(join(root, "node_modules/@types"));
  const types = peers.filter((peer) => typed.includes(peer)).map((peer) => `@types/${peer}`);
  return [...new Set([...peers, ...types])].filter((name) => !/^(?:@types\/)?express$/.test(name));
}

/** Lines of a consumer: loads an adapter, and does not compile if its types were lost on the way. */
function useOf(name: string, at: number): string {
  return `import * as adapter${at} from "@creditgate/${name}";
// @ts-expect-error no export has this name
if (Object.keys(adapter${at}).length === 0 || adapter${at}.missing) throw new Error("${name}: no exports");
`;
}

/** As `du -sk` measures it. */
async function sizeOnDisk(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true });
  const blocks = await Promise.all([path, ...files.map((file) => join(path, file))].map(blocksOf));
  return blocks.reduce((sum, one) => sum + one, 0) / 2;
}

/** Of 512 bytes. */
async function blocksOf(path: string): Promise<number> {
  return (await lstat(path)).blocks;
}

const wallet = {
  available: 50,
  pending: 0,
  overage_used: 0,
  overage_limit: 0,
  postpaid_used: 0,
  postpaid_limit: 0,
};

describe("the packed packages", () => {
  it("are one tarball for each package", () => {
    expect(tarballs.size).toBe(packages.length);
  });

  it("bring the schema of the control plane, and an operator the alerts, the dashboard and the manifests", async () => {
    const tarball = join(folder, tarballs.get("@creditgate/control-plane") ?? "");
    const { stdout } = await run("tar", ["-tzf", tarball]);
    const files: string[] = [];
    for (const part of ["operations", "schema"]) {
      const here = await readdir(join(root, "packages/control-plane", part), { recursive: true });
      files.push(...here.filter((file) => extname(file) !== "").map((file) => `${part}/${file}`));
    }
    expect(files).toEqual(expect.arrayContaining(["operations/alerts.yaml", "schema/wallets.sql"]));
    for (const file of [...files, "OPERATIONS.md"]) expect(stdout.split("\n")).toContain(`package/${file}`);
  });

  it("have their licence and README, and neither tests, sources nor source maps", async () => {
    for (const [name, tarball] of tarballs) {
      const { stdout } = await run("tar", ["-tzf", join(folder, tarball)]);
      const files = stdout.trim().split("\n");
      for (const file of ["LICENSE", "README.md", "package.json"])
        expect(files, name).toContain(`package/${file}`);
      expect(
        files.filter((file) =>
          /^(?!package\/templates\/).*(?:\.test\.|\/(?:test|src)\/|\.map$|\.tsbuildinfo$)/.test(file),
        ),
        name,
      ).toEqual([]);
    }
  });

  it("have types that name no import of their package alone", async () => {
    const typed = [...tarballs].filter(([name]) => name !== "@creditgate/dashboard");
    for (const [name, tarball] of typed) {
      const types = ["--wildcards", "--no-anchored", "*.d.ts"];
      const { stdout } = await run("tar", ["-xOzf", join(folder, tarball), ...types], { maxBuffer: 2 ** 26 });
      expect(stdout.match(/(?:from|import\() ?"#.*/g) ?? [], name).toEqual([]);
    }
  });

  it(`are ${mostMegabytes} MB at most of what a gate for Express needs, and run nothing as they are installed`, async () => {
    const application = join(folder, "gate-alone");
    await mkdir(application);
    const needed = ["@creditgate/client", "@creditgate/core", "@creditgate/express"];
    const dependencies = Object.fromEntries(needed.map((name) => [name, `file:../${tarballs.get(name)}`]));
    await writeFile(join(application, "package.json"), JSON.stringify({ private: true, dependencies }));
    // Express is the application's own.
    const sparing = ["--prefer-offline", "--omit=peer", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...sparing], { cwd: application });
    const lock = JSON.parse(await readFile(join(application, "node_modules/.package-lock.json"), "utf8"));
    const installed = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    expect(installed.map(([place]) => place.replace("node_modules/", "")).sort()).toEqual([
      ...needed,
      "lru-cache",
      "undici",
      "zod",
    ]);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    const kilobytes = await sizeOnDisk(join(application, "node_modules"));
    console.log(`a gate for Express: ${kilobytes} KB installed`);
    expect(kilobytes).toBeLessThanOrEqual(mostMegabytes * 1024);
  }, 180_000);

  it("have entries that publint finds nothing wrong with", async () => {
    for (const tarball of tarballs.values()) {
      const { buffer } = await readFile(join(folder, tarball));
      const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    }
  });

  it("install elsewhere, type-check a consumer, and serve a request", async () => {
    await cp(join(import.meta.dirname, "packed/consumer.ts"), join(folder, "consumer.ts"));
    const types = ["@types/express", "@types/node"];
    const dependencies = Object.fromEntries(Array.from(tarballs, ([name, file]) => [name, `file:${file}`]));
    const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({
        type: "module",
        private: true,
        dependencies: { ...dependencies, express: devDependencies.express },
        devDependencies: {
          ...Object.fromEntries(types.map((name) => [name, devDependencies[name]])),
          // The oldest that the packages are for. Here, since beside the other it would take its place in .bin.
          typescript: "5.4.5",
        },
      }),
    );
    // PostgreSQL's binaries are the optional part, and large; so are the frameworks, peers that this consumer does without.
    const sparing = ["--omit=optional", "--legacy-peer-deps"];
    await run("npm", ["install", "--prefer-offline", ...sparing, "--no-audit", "--no-fund"], { cwd: folder });
    // For the types of ours that are about them.
    for (const name of await frameworks())
      await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
    const strict = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"];
    await run(process.execPath, [tsc, ...strict, "consumer.ts"], { cwd: folder }).catch((error) => {
      throw new Error(error.stdout);
    });
    const { port } = standIn.address() as AddressInfo;
    const { stdout } = await run(process.execPath, ["consumer.js"], {
      cwd: folder,
      env: { ...process.env, BASE_URL: `http://127.0.0.1:${port}` },
    });
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      body: { answer: "hello" },
      left: { queued: 0, parked: 0, dead: 0 },
    });
    expect(reports).toEqual([
      expect.objectContaining({
        customerId: "alice",
        rawUsage: expect.objectContaining({ outputTokens: 2 }),
      }),
    ]);
  }, 180_000);

  describe.each([
    ["nodenext", "nodenext"],
    ["commonjs", "node10"],
    ...(isAll
      ? [
          ["node16", "node16"],
          ["esnext", "bundler"],
        ]
      : []),
  ])(
    "for a CommonJS consumer on TypeScript 5.4 with module %s, moduleResolution %s",
    (module, resolution) => {
      it(`compile${module === "esnext" ? "" : ", and run as one instance"}`, async () => {
        const consumer = join(folder, `${module}-${resolution}`);
        await mkdir(consumer);
        await writeFile(join(consumer, "package.json"), JSON.stringify({ type: "commonjs" }));
        await cp(join(import.meta.dirname, "packed/commonjs.ts"), join(consumer, "commonjs.ts"));
        const oldTsc = join(folder, "node_modules/typescript/bin/tsc");
        // The libraries of others do not all compile there; if ours did not, the consumer's own lines would tell.
        const options = [
          "--strict",
          "--target",
          "es2022",
          "--types",
          "node",
          "--skipLibCheck",
          "--esModuleInterop",
        ];
        const modules = ["--module", module, "--moduleResolution", resolution];
        await writeFile(join(consumer, "adapters.ts"), adapters.map(useOf).join(""));
        const files = ["commonjs.ts", "adapters.ts"];
        await run(process.execPath, [oldTsc, ...options, ...modules, ...files], { cwd: consumer }).catch(
          (error) => {
            throw new Error(error.stdout);
          },
        );
        // For a bundler it is still a module, which this folder is not for.
        if (module === "esnext") return;
        await run(process.execPath, ["adapters.js"], { cwd: consumer });
        const { stdout, stderr } = await run(process.execPath, ["commonjs.js"], { cwd: consumer });
        const billed = [{ outputTokens: 2 }];
        expect(JSON.parse(stdout)).toEqual({ text: "hello", billed, one: true, functions: true });
        expect(stderr).toBe("");
      });
    },
  );
});
