import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createTRPCClient, getUntypedClient, httpLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../free-port.ts";
import { adapters as all, notOverHttp } from "./adapter-list.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");

// Each with the first example of its README, which is a whole application. Those of the others are in start.full.test.ts.
const adapters = all.filter((name) => !["edge", "express", "next"].includes(name));
const overHttp = adapters.filter((name) => !notOverHttp.includes(name));

const wallet = (available: number) => ({ currency: "ai_credits", kind: "prepaid", available }) as const;
const fixture = {
  organization: { name: "Acme", apiKey: "cg_test_local" },
  agents: [
    {
      agentId: "chat",
      agent_external_id: "chat-1",
      agent_name: "Chat",
      indicators: [
        {
          name: "message",
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perThousandOutputTokens: 2 },
        },
      ],
    },
  ],
  customers: [
    ...adapters.map((name) => ({ externalId: name, name, wallets: [wallet(10)] })),
    { externalId: "bob", name: "Bob", wallets: [wallet(1)] },
  ],
} as const;

/** A folder with the examples. */
let folder: string;
let plane: TestControlPlane;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-adapters-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
  await cp(join(import.meta.dirname, "readme/doors.ts"), join(folder, "yours.ts"));
  for (const name of adapters) {
    const text = await readFile(join(root, "packages", name, "README.md"), "utf8");
    await writeFile(join(folder, `${name}.ts`), /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? "");
  }
  plane = await startControlPlane({ fixture });
});
afterAll(async () => {
  await plane?.stop();
  await rm(folder, { recursive: true });
});

describe("the first example of the README of", () => {
  it("each adapter compiles as it stands", async () => {
    const options = [
      ..."--strict --target es2023 --module nodenext --types node --skipLibCheck".split(" "),
      // As in a project of NestJS.
      ..."--experimentalDecorators --emitDecoratorMetadata".split(" "),
    ];
    const files = adapters.map((name) => `${name}.ts`);
    await run(process.execPath, [tsc, ...options, ...files], { cwd: folder }).catch((error) => {
      throw new Error(error.stdout);
    });
  });

  it.each(overHttp)("%s serves who can pay, bills it, and denies who cannot", async (name) => {
    const url = await start(name);
    const ask = (user: string) =>
      fetch(`${url}/chat`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-user": user },
        body: JSON.stringify({ question: "What is a credit?" }),
      });
    const served = await ask(name);
    expect([served.ok, await served.json()]).toEqual([true, { text: "You asked: What is a credit?" }]);
    await billed(name);
    const denied = await ask("bob");
    expect([denied.status, await denied.json()]).toMatchObject([402, { shortfall: 4 }]);
  });

  it("mcp serves who can pay, bills it, and denies who cannot", async () => {
    const ask = async (customer: string) => {
      const client = new Client({ name: "a client of the tests", version: "1" });
      const env = { ...environment(), CUSTOMER: customer };
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: ["mcp.js"], cwd: folder, env }),
      );
      onTestFinished(() => client.close());
      return client.callTool({ name: "ask", arguments: { question: "What is a credit?" } });
    };
    expect(await ask("mcp")).toEqual({ content: [{ type: "text", text: "You asked: What is a credit?" }] });
    await billed("mcp");
    expect(await ask("bob")).toMatchObject({
      isError: true,
      _meta: { "creditgate/denial": { shortfall: 4 } },
    });
  });

  it("trpc serves who can pay, bills it, and denies who cannot", async () => {
    const url = await start("trpc");
    const ask = (user: string) => {
      const client = createTRPCClient<AnyTRPCRouter>({
        links: [httpLink({ url, headers: { "x-user": user } })],
      });
      return getUntypedClient(client).mutation("ask", { question: "What is a credit?" });
    };
    expect(await ask("trpc")).toEqual({ text: "You asked: What is a credit?" });
    await billed("trpc");
    await expect(ask("bob")).rejects.toMatchObject({
      data: { code: "PAYMENT_REQUIRED", credits: { shortfall: 4 } },
    });
  });
});

/** Of the 10 credits 2 have been debited. */
async function billed(customer: string): Promise<void> {
  const left = async () => (await plane.balance(customer)).ai_credits?.available;
  await vi.waitUntil(async () => (await left()) === 8, { timeout: 30_000 });
}

const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
});

/** Starts the example in a process of its own, until the test is over. */
async function start(name: string): Promise<string> {
  const port = await freePort();
  const env = { ...environment(), PORT: `${port}` };
  const child = spawn(process.execPath, [`${name}.js`], { cwd: folder, env, stdio: "inherit" });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => fetch(url).then(Boolean, () => false), { timeout: 30_000 });
  return url;
}
