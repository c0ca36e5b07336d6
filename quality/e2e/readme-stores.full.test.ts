import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { noRedis } from "../../packages/redis/test/redis-server.ts";
import { freePort } from "../free-port.ts";
import { startPostgresStore } from "./fleet/postgres-stores.ts";
import { startRedisStore } from "./fleet/redis-stores.ts";
import { fixtureOf } from "./gated-api.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

const stores = [
  ...(noRedis ? [] : [{ name: "redis", variable: "REDIS_URL", start: startRedisStore }]),
  { name: "postgres", variable: "DATABASE_URL", start: startPostgresStore },
];
const hold = 5;
const affordable = 4;

/** What the example leaves to its reader: an application before it, and a gated route after it. */
const before = `import { requireCredits } from "@creditgate/express";
import express from "express";
const app = express();
`;
const after = `
const options = { customer: (req) => req.get("x-user"), agentId: "chat", indicator: "message", hold: ${hold} };
app.post("/chat", requireCredits(gate, options, (req, res) => {
  req.credits.report({ outputTokens: 40 });
  res.json({ text: "an answer" });
}));
`;

let folder: string;
let plane: TestControlPlane;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-stores-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { name } of stores) {
    const readme = await readFile(join(root, "packages", name, "README.md"), "utf8");
    const [, example = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(example).toContain("listen(3000)");
    const served = example.replace("listen(3000)", "listen(process.env.PORT)");
    await writeFile(join(folder, `${name}.mjs`), before + served + after);
  }
  const wallet = { kind: "prepaid", currency: "ai_credits", available: affordable * hold } as const;
  const wallets = Object.fromEntries(stores.map(({ name }) => [name, wallet]));
  plane = await startControlPlane({ fixture: fixtureOf(wallets, { message: hold }) });
});
afterAll(async () => {
  await plane?.stop();
  await rm(folder, { recursive: true });
});

describe.each(stores)("the example of the README of $name", ({ name, variable, start }) => {
  it("lets two processes serve at once after `init` exactly what a wallet can pay, and outlives the store's restart", async () => {
    const server = await start();
    onTestFinished(() => server.stop());
    const environment = {
      ...process.env,
      CREDITGATE_BASE_URL: plane.baseUrl,
      CREDITGATE_API_KEY: plane.apiKey,
      [variable]: "url" in server.connection ? server.connection.url : "",
    };
    const bin = join(root, "packages/control-plane/bin/creditgate.js");
    const initiated = await run(process.execPath, [bin, name, "init"], { env: environment });
    expect(initiated.stdout).toBe("the store grants at once\n");

    const processes = await Promise.all([1, 2].map(() => startExample(`${name}.mjs`, environment)));
    const statuses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => ask(processes[at % 2]?.url ?? "", name)),
    );
    expect(statuses.sort()).toEqual([...Array(affordable).fill(200), ...Array(10 - affordable).fill(402)]);
    // The processes report after they have responded: settled() covers only the reports that have arrived.
    const available = async () => {
      await plane.settled();
      return (await plane.balance(name)).ai_credits?.available;
    };
    await expect.poll(available).toBe(0);

    await server.restart();
    const endings = processes.map(async ({ url, child }) => {
      expect(await ask(url, name)).toBeGreaterThanOrEqual(402);
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      return exited;
    });
    expect(await Promise.all(endings)).toEqual(Array(2).fill([0, null]));
    // It was used: `init` must not let it grant what processes may have.
    const again = await run(process.execPath, [bin, name, "init"], { env: environment });
    expect(again.stdout).toBe("the store is in use, and stays as it is: nothing to do\n");
  });
});

async function startExample(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...environment, PORT: `${port}` },
    // It says what the restart breaks.
    stdio: "ignore",
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

async function ask(url: string, user: string): Promise<number> {
  const { status } = await fetch(`${url}/chat`, { method: "POST", headers: { "x-user": user } });
  return status;
}
