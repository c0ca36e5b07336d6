import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packInto } from "./tarballs.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const tsc = join(root, "node_modules/typescript/bin/tsc");

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
        devDependencies: Object.fromEntries(types.map((name) => [name, devDependencies[name]])),
      }),
    );
    // PostgreSQL's binaries are the optional part, and large; so is Next.js, a peer that this consumer does without.
    const sparing = ["--omit=optional", "--legacy-peer-deps"];
    await run("npm", ["install", "--prefer-offline", ...sparing, "--no-audit", "--no-fund"], { cwd: folder });
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
});
