import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@creditgate/client";
import { type RunningServer, startServer } from "@creditgate/control-plane";
import { createTestDatabase, type TestDatabase } from "@creditgate/control-plane/testing";
import { createGate, createRegistry } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const pages = resolve(import.meta.dirname, "../../docs/control-plane");
const adminToken = "cga_a-token-for-these-tests";

let database: TestDatabase;
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    settlementDelayMs: 0,
    adminTokens: [{ name: "first", token: adminToken }],
    people: {},
  });
  folder = await mkdtemp(join(tmpdir(), "creditgate-nothing-"));
  await mkdir(join(folder, ".creditgate"));
  await writeFile(join(folder, ".creditgate/admin-token"), `${adminToken}\n`);
  const link = `creditgate first owner (works once, for a day): ${server.firstOwnerLink}`;
  await writeFile(join(folder, "serve.log"), `${link}\n`);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The first commands of a page, for a control plane that listens elsewhere. */
async function commands(page: string): Promise<string> {
  const text = await readFile(join(pages, page), "utf8");
  const [, code = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(text) ?? [];
  return code.replace("http://127.0.0.1:4000", server.url);
}

describe("an empty database, and HTTP alone", () => {
  it("make an organisation, its agent with a price, a customer with credits, a key, people, and a gated request", async () => {
    const told = 'echo; echo "$CREDITGATE_API_KEY"';
    const scripts = [await commands("start-from-nothing.md"), "echo ---", await commands("people.md"), told];
    const typed = scripts.join("\n");
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", typed], { cwd: folder });
    const [, people = ""] = stdout.split("---\n");
    expect(people).toMatch(/"email":"olga@example.com".*"operator":true/);
    expect(people).toMatch(
      /http:\/\/127\.0\.0\.1:\d+\/dashboard\/welcome#token=cgl_[\w-]{43}\ncgu_[\w-]{43}$/m,
    );
    const apiKey = stdout.trim().split("\n").at(-1) ?? "";
    const client = createClient({ baseUrl: server.url, apiKey });
    const available = async () => (await client.wallets.balance("alice")).balances.ai_credits?.available;
    expect(await available()).toBe(10);

    const gate = createGate({ client, currency: "ai_credits", registry: createRegistry() });
    const app = express();
    const credits = requireCredits(gate, {
      customer: (request) => request.get("x-customer"),
      agentId: "chat",
      indicator: "message",
      hold: 4,
    });
    app.post("/chat", credits, (request, response) => {
      request.credits?.report({ inputTokens: 10, outputTokens: 1_000 });
      response.json({});
    });
    const http = createServer(app).listen(0, "127.0.0.1");
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    const ask = async (customer: string) => {
      const headers = { "x-customer": customer };
      return (await fetch(`http://127.0.0.1:${port}/chat`, { method: "POST", headers })).status;
    };
    // Each costs 2.5 and holds 4: after three of them 2.5 are left.
    expect([await ask("alice"), await ask("alice"), await ask("alice"), await ask("alice")]).toEqual([
      200, 200, 200, 402,
    ]);
    expect(await ask("nobody")).toBe(402);
    await gate.flush();
    await server.settled();
    expect(await available()).toBe(2.5);
    await gate.close();
    http.close();
  });
});
