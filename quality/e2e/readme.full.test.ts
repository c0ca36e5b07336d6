import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import express from "express";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../free-port.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
const adminToken = "cga_a-token-for-these-tests";

/** A folder with the examples of docs/start.md, compiled, and nothing but what it says that one installs. */
let folder: string;
let examples: readonly { readonly file: string; readonly code: string }[];
let plane: TestControlPlane;

beforeAll(async () => {
  const text = await readFile(join(root, "docs/start.md"), "utf8");
  examples = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = ""]) => ({
    file: /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? "",
    code,
  }));
  folder = await mkdtemp(join(tmpdir(), "creditgate-readme-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "cors"), { recursive: true });
  for (const name of ["@ai-sdk", "@creditgate", "@types", "ai", "express"])
    await symlink(join(root, "node_modules", name), join(modules, name));
  // Ours is the gate that comes after it: any middleware will do.
  await writeFile(
    join(modules, "cors/package.json"),
    '{ "name": "cors", "main": "index.js", "types": "index.d.ts" }',
  );
  await writeFile(join(modules, "cors/index.js"), "module.exports = () => (_req, _res, next) => next();");
  await writeFile(
    join(modules, "cors/index.d.ts"),
    'import type { RequestHandler } from "express";\ndeclare function cors(): RequestHandler;\nexport = cors;\n',
  );
  await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
  await cp(join(import.meta.dirname, "readme/yours.ts"), join(folder, "yours.ts"));
  for (const { file, code } of examples) if (file !== "") await writeFile(join(folder, file), code);
  plane = await startControlPlane({ fixture, adminToken });
});
afterAll(async () => {
  await plane?.stop();
  await rm(folder, { recursive: true });
});

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
          price: { perEvent: 1, perThousandInputTokens: 0.5, perThousandOutputTokens: 1.5 },
        },
        {
          name: "research",
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perEvent: 1, perThousandOutputTokens: 1.5 },
          modelPrices: [
            { provider: "openai", model: "gpt-5", price: { perThousandOutputTokens: 16 } },
            { provider: "openai", model: "gpt-5", plan: "batch", price: { perThousandOutputTokens: 8 } },
          ],
        },
      ],
    },
  ],
  customers: [
    {
      externalId: "alice",
      name: "Alice",
      wallets: [{ currency: "ai_credits", kind: "prepaid", available: 12 }],
    },
    {
      externalId: "dana",
      name: "Dana",
      wallets: [{ currency: "ai_credits", kind: "prepaid", available: 100 }],
    },
    ...["erin", "frank"].map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "prepaid" as const, available: 10 }],
    })),
  ],
} as const;

const environment = () => ({
  ...process.env,
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
  CREDITGATE_ADMIN_TOKEN: adminToken,
});

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
  it.each(["edge", "express", "fastify", "koa", "mcp", "nestjs", "next", "trpc"])(
    "of %s bill a client that disconnects, and survive a report that fails",
    async (name) => {
      const text = await readFile(join(root, "packages", name, "README.md"), "utf8");
      const code = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = ""]) => block);
      const optioned = code.filter((block) => /\bhold: \d/.test(block) && !block.includes("creditsProxy"));
      expect(optioned.length).toBeGreaterThan(0);
      for (const block of optioned) expect(block).toContain("defaultUsage");
      // The second argument of then() does not see what the first one throws.
      expect(text).not.toMatch(/\.then\(.*report.*, console\.error\)/);
    },
  );
});

describe("the examples of the page to start from", () => {
  it("say which file they are, and compile as they stand", async () => {
    expect(examples.map(({ file }) => file)).toEqual(["app.ts", "by-hand.ts", "sign-up.ts", "payments.ts"]);
    await compile(...examples.map(({ file }) => file), "yours.ts");
  });

  it("serve alice three times with her 12 credits, then deny her and say what is missing", async () => {
    const url = await startExample();
    const replies: Response[] = [];
    for (let at = 0; at < 3; at++) replies.push(await ask(url));
    // Until then the last answer may count with the whole hold.
    await vi.waitUntil(async () => (await plane.balance("alice")).ai_credits?.available === 4.5, {
      timeout: 30_000,
    });
    replies.push(await ask(url));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 402]);
    expect(await replies[3]?.json()).toMatchObject({ required: 5, shortfall: expect.closeTo(0.5, 1) });
    expect((await fetch(`${url}/chat`, { method: "POST" })).status).toBe(401);
  });

  it("are billed as well where the route reports by hand", async () => {
    const url = await startVariant("by-hand-app", 'app.post("/chat", byHand(gate));', [
      'import { byHand } from "./by-hand.js";',
    ]);
    expect((await ask(url, "erin")).status).toBe(200);
    await vi.waitUntil(async () => (await plane.balance("erin")).ai_credits?.available === 7.5, {
      timeout: 30_000,
    });
  });

  it("need no more than the one line: with the one that it was they answer, and bill nobody", async () => {
    const app = await readFile(join(folder, "app.ts"), "utf8");
    const [, ungated = ""] = /It was: (app\.post\(.*\);)$/m.exec(app) ?? [];
    const url = await startVariant("ungated-app", ungated);
    for (let at = 0; at < 5; at++) {
      const reply = await ask(url, "frank");
      expect(await reply.json()).toEqual({ text: "You asked: What is a credit?" });
    }
    await plane.settled();
    expect((await plane.balance("frank")).ai_credits?.available).toBe(10);
  });

  it("bill all the answers that were under way at a SIGTERM, and exit with 0", async () => {
    const { url, child } = await startProcess({ MODEL_WAITS: "yes" });
    const exited = once(child, "exit");
    const asked = readLines(child);
    const replies = Array.from({ length: 10 }, () => ask(url, "dana").then(({ status }) => status, String));
    for (let at = 0; at < 10; at++) expect(await asked.next()).toMatchObject({ value: "asked" });
    child.kill("SIGTERM");
    await vi.waitUntil(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      { timeout: 30_000 },
    );
    child.stdin?.write("go on\n");
    expect(await Promise.all(replies)).toEqual(Array(10).fill(200));
    expect(await exited).toEqual([0, null]);
    await plane.settled();
    expect((await plane.balance("dana")).ai_credits?.available).toBe(75);
  });

  it("are what the doctor finds nothing wrong with", async () => {
    const text = await readFile(join(root, "docs/start.md"), "utf8");
    const [, args = ""] = /^npx -p @creditgate\/control-plane creditgate (doctor .*)$/m.exec(text) ?? [];
    const bin = join(root, "packages/control-plane/bin/creditgate.js");
    // Rejects unless it ends with 0.
    const { stdout } = await run(process.execPath, [bin, ...args.split(" ")], { env: environment() });
    expect(stdout).toMatch(/^ok +wallet /m);
  });

  it("take the price that the doctor proposes for models with rates of their own, pasted as it stands", async () => {
    const bin = join(root, "packages/control-plane/bin/creditgate.js");
    const args = ["doctor", "--agent=chat", "--indicator=research", "--currency=ai_credits"];
    const { stdout } = await run(process.execPath, [bin, ...args], { env: environment() });
    const [, price = "no price"] = /price: (\(.*)$/m.exec(stdout) ?? [];
    const app = await readFile(join(folder, "app.ts"), "utf8");
    const pasted = app.replace(/^ +currency: .*$/m, (line) => `${line}\n  price: ${price},`);
    expect(pasted).not.toBe(app);
    await writeFile(join(folder, "pasted.ts"), pasted);
    await compile("--noEmit", "pasted.ts");
  });

  it("give a new customer a wallet, fill it once for each payment, and serve her at once", async () => {
    vi.stubEnv("CREDITGATE_BASE_URL", plane.baseUrl);
    vi.stubEnv("CREDITGATE_API_KEY", plane.apiKey);
    vi.stubEnv("CREDITGATE_ADMIN_TOKEN", adminToken);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { signUp } = await import(pathToFileURL(join(folder, "sign-up.js")).href);
    const { payments } = await import(pathToFileURL(join(folder, "payments.js")).href);
    const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => quiet.mockRestore());
    const provider = await listen(createServer(express().use(payments)));
    const pay = async () => {
      const response = await fetch(`${provider}/webhooks/payment`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: "payment-1", customerId: "carol", credits: 7 }),
      });
      return response.status;
    };

    expect(await pay()).toBeGreaterThanOrEqual(400);
    await signUp({ id: "carol", name: "Carol" });
    await signUp({ id: "carol", name: "Carol" });
    const url = await startExample();
    expect((await ask(url, "carol")).status).toBe(402);
    expect(await Promise.all([pay(), pay(), pay()])).toEqual([200, 200, 200]);
    expect((await plane.balance("carol")).ai_credits?.available).toBe(7);
    expect((await ask(url, "carol")).status).toBe(200);
  });
});

async function compile(...files: readonly string[]): Promise<void> {
  const options = "--strict --target es2023 --module nodenext --types node --skipLibCheck".split(" ");
  await run(process.execPath, [tsc, ...options, ...files], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout);
  });
}

/** Starts `app.ts` in a process of its own, until the test is over. */
async function startExample(): Promise<string> {
  return (await startProcess({})).url;
}

/** Starts `app.ts` with another line in place of the one that gates and bills. */
async function startVariant(name: string, line: string, imports: readonly string[] = []): Promise<string> {
  const app = await readFile(join(folder, "app.ts"), "utf8");
  const variant = app.replace(/^app\.post\("\/chat", requireCredits\(.*$/m, line);
  expect(variant).not.toBe(app);
  await writeFile(join(folder, `${name}.ts`), [...imports, variant].join("\n"));
  await compile(`${name}.ts`);
  return (await startProcess({}, `${name}.js`)).url;
}

function readLines(child: ChildProcess): AsyncIterator<string> {
  if (child.stdout === null) throw new Error("expected a pipe");
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}

async function startProcess(
  more: Readonly<Record<string, string>>,
  file = "app.js",
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...environment(), PORT: `${port}`, ...more },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => fetch(url).then(Boolean, () => false), { timeout: 30_000 });
  return { url, child };
}

function ask(url: string, user = "alice"): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-user": user },
    body: JSON.stringify({ question: "What is a credit?" }),
  });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
