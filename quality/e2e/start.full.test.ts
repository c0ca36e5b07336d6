import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import {
  createTestDatabase,
  startControlPlane,
  type TestControlPlane,
} from "@creditgate/control-plane/testing";
import express from "express";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { filesOf, PageFolder } from "./page-files.ts";
import { expectAsShown, startFixture, startPage, startPages } from "./start-pages.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const bin = join(root, "packages/control-plane/bin/creditgate.js");
const adminToken = "cga_a-token-for-these-tests";

const wallet = (externalId: string, available: number) => ({
  externalId,
  name: externalId,
  wallets: [{ currency: "ai_credits", kind: "prepaid", available }],
});
/** The pages' own, with an indicator whose models have rates of their own, and customers of these tests. */
const [agent] = startFixture.agents;
const research = {
  name: "research",
  billing: "CREDITS",
  currency: "ai_credits",
  price: { perEvent: 1, perThousandOutputTokens: 1.5 },
  modelPrices: [
    { provider: "openai", model: "gpt-5", price: { perThousandOutputTokens: 16 } },
    { provider: "openai", model: "gpt-5", plan: "batch", price: { perThousandOutputTokens: 8 } },
  ],
};
const fixture = {
  ...startFixture,
  agents: [{ ...agent, indicators: [...agent.indicators, research] }],
  customers: [
    ...startFixture.customers,
    wallet("dana", 100),
    wallet("frank", 10),
    ...[...startPages.keys(), "edge"].filter(Boolean).map((page) => wallet(`of-${page}`, 0)),
  ],
};

// Ours is the gate that comes after it: any middleware will do.
const cors = {
  "node_modules/cors/package.json": '{ "name": "cors", "main": "index.js", "types": "index.d.ts" }',
  "node_modules/cors/index.js": "module.exports = () => (_req, _res, next) => next();",
  "node_modules/cors/index.d.ts":
    'import type { RequestHandler } from "express";\ndeclare function cors(): RequestHandler;\nexport = cors;\n',
};

/** What the skill for coding agents leaves to theirs. */
const session = `import type { Request } from "express";
export declare function userOf(request: Request): { readonly id: string } | undefined;
export declare function draw(prompt: string, options: { readonly signal: AbortSignal }): Promise<string[]>;
`;

/** Each page's files are in a folder of their own. */
let folder: PageFolder;
let plane: TestControlPlane;
const provider = createServer(model);
let openai: string;

beforeAll(async () => {
  const installed = [
    "@ai-sdk",
    "@creditgate",
    "@hono",
    "@types",
    "ai",
    "express",
    "fastify",
    "hono",
    "next",
    "pg",
  ];
  folder = await PageFolder.create(installed, cors);
  for (const [page, { files }] of startPages) await folder.write(files, page);
  await folder.write(filesOf("skills/creditgate/SKILL.md"), "skill");
  await folder.write(new Map([["session.ts", session]]), "skill");
  const yours = await readFile(join(import.meta.dirname, "readme/yours.ts"), "utf8");
  await folder.write(new Map([["yours.ts", yours]]));
  await folder.compile();
  plane = await startControlPlane({ fixture, adminToken });
  openai = await listening(provider);
});
afterAll(async () => {
  provider.close();
  await plane?.stop();
  await rm(folder.path, { recursive: true });
});

/** In the place of OpenAI: an answer of 2.5 credits at the price of the page, once a test lets it go on. */
const asked: (() => void)[] = [];
let answersAtOnce = true;
async function model(request: IncomingMessage, response: ServerResponse) {
  const { input } = (await json(request)) as { input: { content: { text: string }[] }[] };
  if (!answersAtOnce) await new Promise<void>((goOn) => asked.push(goOn));
  const text = `You asked: ${input.at(-1)?.content[0]?.text}`;
  const content = [{ type: "output_text", text, annotations: [] }];
  const output = [{ type: "message", id: "m", role: "assistant", content }];
  const usage = { input_tokens: 30, output_tokens: 990 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "r", created_at: 1, model: "gpt-5", output, usage }));
}

const environment = () => ({
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
  CREDITGATE_ADMIN_TOKEN: adminToken,
  OPENAI_BASE_URL: openai,
  OPENAI_API_KEY: "none",
});
const available = async (customer: string) => (await plane.balance(customer)).ai_credits?.available;

describe("the pages to start from", () => {
  // The one for Next.js is run by adapters-next.full.test.ts, in the application that is built there.
  it("are these", () => {
    expect([...startPages.keys()].sort()).toEqual(
      ["", "ai-sdk", "express", "fastify", "hono", "nextjs", "own-table"].sort(),
    );
  });

  it.each(["ai-sdk", "express", "fastify", "hono"])(
    "answer 402, then 200, and bill it, as %s shows",
    async (page) => {
      const customer = `of-${page}`;
      const { url } = await start(`${page}/app.js`);
      await expectAsShown(startPage(page), { url, customer, environment: environment() });
      await vi.waitUntil(async () => (await available(customer)) === 7.5, { timeout: 30_000 });
    },
  );

  it("answer the same on the edge", async () => {
    await writeFile(
      join(folder.path, "hono/serve-edge.js"),
      `import { getRequestListener } from "@hono/node-server"; import { createServer } from "node:http"; import edge from "./edge.js";
      createServer(getRequestListener(edge.fetch)).listen(process.env.PORT);`,
    );
    const { url } = await start("hono/serve-edge.js");
    await expectAsShown(startPage("hono"), { url, customer: "of-edge", environment: environment() });
    await vi.waitUntil(async () => (await available("of-edge")) === 7.5, { timeout: 30_000 });
  });

  it("answer 402, then 200, and debit a table of one's own by the functions of the example", async () => {
    const source = await readFile(join(root, "examples/own-table/src/table-service.ts"), "utf8");
    const { files } = startPage("own-table");
    expect(files.get("table-service.ts")?.split("\n").slice(1).join("\n")).toBe(source);
    const database = await createTestDatabase();
    const sql = new pg.Client({ connectionString: database.databaseUrl });
    await sql.connect();
    onTestFinished(async () => {
      await sql.end();
      await database.drop();
    });
    const changes = { DATABASE_URL: database.databaseUrl };
    const { url } = await start("own-table/app.js", changes);
    await expectAsShown(startPage("own-table"), { url, customer: "bob", environment: changes });
    const left = async () => Number((await sql.query("select available from wallets")).rows[0].available);
    await vi.waitUntil(async () => (await left()) === 8, { timeout: 30_000 });
  });
});

describe("the skill for coding agents", () => {
  it("has code that compiles", () => {
    // All that is in the folder does: the set-up has thrown otherwise.
    expect([...filesOf("skills/creditgate/SKILL.md").keys()]).toEqual(["gate.ts", "app.ts", "by-hand.ts"]);
  });
});

describe("the application of the AI SDK", () => {
  it("serves alice three times with her 12 credits, then denies her and returns what is missing", async () => {
    const { url } = await start("ai-sdk/app.js");
    const replies: Response[] = [];
    for (let at = 0; at < 3; at++) replies.push(await ask(url));
    // Until then the last answer may count with the whole hold.
    await vi.waitUntil(async () => (await available("alice")) === 4.5, { timeout: 30_000 });
    replies.push(await ask(url));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 402]);
    expect(await replies[3]?.json()).toMatchObject({ required: 5, shortfall: expect.closeTo(0.5, 1) });
    expect((await fetch(`${url}/chat`, { method: "POST" })).status).toBe(401);
  });

  it("needs no more than the one line: with the one that it was it answers, and bills nobody", async () => {
    const app = await readFile(join(folder.path, "ai-sdk/app.js"), "utf8");
    const [, ungated = ""] = /It was: (app\.post\(.*\);)$/m.exec(app) ?? [];
    const variant = app.replace(/^app\.post\("\/chat", requireCredits\(.*$/m, ungated);
    expect(variant).not.toBe(app);
    await writeFile(join(folder.path, "ai-sdk/ungated.js"), variant);
    const { url } = await start("ai-sdk/ungated.js");
    for (let at = 0; at < 5; at++) {
      const reply = await ask(url, "frank");
      expect(await reply.json()).toEqual({ text: "You asked: What is a credit?" });
    }
    await plane.settled();
    expect(await available("frank")).toBe(10);
  });

  it("bills all the answers in flight at a SIGTERM, and exits with 0", async () => {
    const { url, child } = await start("ai-sdk/app.js");
    const exited = once(child, "exit");
    answersAtOnce = false;
    onTestFinished(() => {
      answersAtOnce = true;
    });
    const replies = Array.from({ length: 10 }, () => ask(url, "dana").then(({ status }) => status, String));
    await vi.waitUntil(() => asked.length === 10, { timeout: 30_000 });
    child.kill("SIGTERM");
    await vi.waitUntil(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      { timeout: 30_000 },
    );
    for (const goOn of asked.splice(0)) goOn();
    expect(await Promise.all(replies)).toEqual(Array(10).fill(200));
    expect(await exited).toEqual([0, null]);
    await plane.settled();
    expect(await available("dana")).toBe(75);
  });

  it("takes the price that the doctor proposes for models with rates of their own, pasted as it stands", async () => {
    const args = ["doctor", "--agent=chat", "--indicator=research", "--currency=ai_credits"];
    const { stdout } = await run(process.execPath, [bin, ...args], {
      env: { ...process.env, ...environment() },
    });
    const [, price = "no price"] = /price: (\(.*)$/m.exec(stdout) ?? [];
    const app = await readFile(join(folder.path, "ai-sdk/app.ts"), "utf8");
    const pasted = app.replace(/^ +currency: .*$/m, (line) => `${line}\n  price: ${price},`);
    expect(pasted).not.toBe(app);
    await writeFile(join(folder.path, "ai-sdk/pasted.ts"), pasted);
    await folder.compile();
  });
});

describe("the page that lists them", () => {
  it("has a check that finds nothing wrong", async () => {
    const text = await readFile(join(root, "docs/start.md"), "utf8");
    const [, args = ""] = /^npx -p @creditgate\/control-plane creditgate (doctor .*)$/m.exec(text) ?? [];
    // Rejects unless it ends with 0.
    const { stdout } = await run(process.execPath, [bin, ...args.split(" ")], {
      env: { ...process.env, ...environment() },
    });
    expect(stdout).toMatch(/^ok +wallet /m);
  });

  it("gives a new customer a wallet, fills it once for each payment, and serves her at once", async () => {
    vi.stubEnv("CREDITGATE_BASE_URL", plane.baseUrl);
    vi.stubEnv("CREDITGATE_API_KEY", plane.apiKey);
    vi.stubEnv("CREDITGATE_ADMIN_TOKEN", adminToken);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { signUp } = await import(pathToFileURL(join(folder.path, "sign-up.js")).href);
    const { payments } = await import(pathToFileURL(join(folder.path, "payments.js")).href);
    const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => quiet.mockRestore());
    const paying = createServer(express().use(payments));
    onTestFinished(() => void paying.close());
    const paid = await listening(paying);
    const pay = async () => {
      const response = await fetch(`${paid}/webhooks/payment`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: "payment-1", customerId: "carol", credits: 7 }),
      });
      return response.status;
    };

    expect(await pay()).toBeGreaterThanOrEqual(400);
    await signUp({ id: "carol", name: "Carol" });
    await signUp({ id: "carol", name: "Carol" });
    const { url } = await start("express/app.js");
    expect((await ask(url, "carol")).status).toBe(402);
    expect(await Promise.all([pay(), pay(), pay()])).toEqual([200, 200, 200]);
    expect(await available("carol")).toBe(7);
    expect((await ask(url, "carol")).status).toBe(200);
  });
});

const start = (file: string, changes: NodeJS.ProcessEnv = {}) =>
  folder.start(file, { ...environment(), ...changes });

function ask(url: string, user = "alice"): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-user": user },
    body: JSON.stringify({ question: "What is a credit?" }),
  });
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
