import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import {
  createTestDatabase,
  startControlPlane,
  type TestControlPlane,
} from "@creditgate/control-plane/testing";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Job } from "kubernetes-models/batch/v1/Job";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { serveRest } from "../../packages/redis/test/clients.ts";
import { noRedis, type RedisServer, startRedis } from "../../packages/redis/test/redis-server.ts";
import { filesOf, PageFolder } from "./page-files.ts";
import { startFixture } from "./start-pages.ts";

const root = resolve(import.meta.dirname, "../..");
const adminToken = "cga_a-token-for-these-tests";
const bin = join(root, "packages/control-plane/bin/creditgate.js");

const wallet = (externalId: string, available: number) => ({
  externalId,
  name: externalId,
  wallets: [{ currency: "ai_credits", kind: "prepaid", available }],
});
const fixture = {
  ...startFixture,
  customers: [
    ...startFixture.customers,
    wallet("org-1", 10),
    ...["serverless", "outage", "pods"].map((name) => wallet(name, 20)),
  ],
};

const stubs = {
  "sign-in/serve.ts": 'import { app } from "./app.js";\napp.listen(process.env.PORT);\n',
  "migrate/yours.ts": `import type { Request } from "express";
import pg from "pg";
const sql = new pg.Pool({ connectionString: process.env.DATABASE_URL });
export const userOf = (req: Request) => req.get("x-user");
export const hasCredits = async (id: string) =>
  Number((await sql.query("select available from wallets where customer_id = $1", [id])).rows[0]?.available ?? 0) > 0;
export const takeCredits = async (id: string, _usage: object) =>
  void (await sql.query("update wallets set available = available - 2.5 where customer_id = $1", [id]));
`,
  "serverless/serve.ts": `import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { POST } from "./api/chat.js";
import { GET } from "./api/deliver.js";
import { waiting } from "@vercel/functions";
const serve = async (request: Request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/deliver") return GET(request);
  if (pathname === "/chat") return POST(request);
  await Promise.all(waiting.splice(0));
  return new Response();
};
createServer(getRequestListener(serve)).listen(process.env.PORT);
`,
  "node_modules/@vercel/functions/package.json":
    '{ "type": "module", "main": "index.js", "types": "index.d.ts" }',
  "node_modules/@vercel/functions/index.js":
    "export const waiting = [];\nexport const waitUntil = (work) => void waiting.push(work);\n",
  "node_modules/@vercel/functions/index.d.ts":
    "export const waiting: Promise<unknown>[];\nexport function waitUntil(work: Promise<unknown>): void;\n",
};

let folder: PageFolder;
let plane: TestControlPlane;
beforeAll(async () => {
  const installed = ["@creditgate", "@hono", "@types", "@upstash", "express", "ioredis", "jose", "pg"];
  folder = await PageFolder.create(installed, stubs);
  for (const name of ["kubernetes", "migrate", "sign-in"])
    await folder.write(filesOf(`docs/guides/${name}.md`), name);
  await folder.write(filesOf("docs/gate/serverless.md"), "serverless");
  await folder.compile();
  plane = await startControlPlane({ fixture, adminToken });
});
afterAll(async () => {
  await plane?.stop();
  await rm(folder.path, { recursive: true });
});

const environment = (changes: NodeJS.ProcessEnv = {}) => ({
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
  CREDITGATE_ADMIN_TOKEN: adminToken,
  ...changes,
});
const available = async (customer: string) => (await plane.balance(customer)).ai_credits?.available;
const becomes = (customer: string, credits: number) =>
  vi.waitUntil(async () => (await available(customer)) === credits, { timeout: 30_000 });
const ask = (url: string, headers: Record<string, string>) => fetch(url, { method: "POST", headers });
/** Runs one of the files, or a command of ours, and resolves to what it prints. */
const run = async (file: string, args: readonly string[], changes: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, ...environment(changes) };
  return (await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder.path, env })).stdout;
};

describe("from a session to the customer", () => {
  it("takes the organisation or the user of a signed token, and answers 401 to any other", async () => {
    const pair = await generateKeyPair("RS256");
    const foreign = await generateKeyPair("RS256");
    let isAway = false;
    const issuing = createServer(async (_request, response) => {
      if (isAway) return response.writeHead(503).end();
      const key = { ...(await exportJWK(pair.publicKey)), kid: "1", alg: "RS256" };
      return response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [key] }));
    });
    await once(issuing.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void issuing.close());
    const issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
    const token = (claims: object, { key = pair.privateKey, by = issuer, ends = "1h" } = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "1" })
        .setIssuer(by)
        .setIssuedAt()
        .setExpirationTime(ends)
        .sign(key);

    const { url } = await folder.start("sign-in/serve.js", environment({ ISSUER: issuer }));
    const statusOf = async (value: string) =>
      (await ask(`${url}/chat`, { authorization: `Bearer ${value}` })).status;
    expect(await statusOf(await token({ sub: "bob" }))).toBe(402);
    expect(await statusOf(await token({ sub: "bob", org_id: "org-1" }))).toBe(200);
    await becomes("org-1", 7.5);
    expect((await ask(`${url}/chat`, {})).status).toBe(401);
    const refused = [
      await token({ sub: "alice" }, { ends: "-1h" }),
      await token({ sub: "alice" }, { key: foreign.privateKey }),
      await token({ sub: "alice" }, { by: "https://elsewhere.example" }),
      new UnsecuredJWT({ sub: "alice" }).setIssuer(issuer).encode(),
      "no token",
    ];
    expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 401));
    expect(await available("alice")).toBe(12);

    isAway = true;
    const { url: other } = await folder.start("sign-in/serve.js", environment({ ISSUER: issuer }));
    const unread = await ask(`${other}/chat`, { authorization: `Bearer ${await token({ sub: "alice" })}` });
    expect(unread.status).toBe(500);
  });
});

describe("from a table of one's own", () => {
  it("imports the balances, observes, compares, and enforces", async () => {
    const database = await createTestDatabase();
    const sql = new pg.Client({ connectionString: database.databaseUrl });
    await sql.connect();
    onTestFinished(async () => {
      await sql.end();
      await database.drop();
    });
    await sql.query("create table wallets (customer_id text primary key, available numeric not null)");
    await sql.query("insert into wallets values ('amy', 30.1), ('ben', 0), ('cara', 7.3)");
    const changes = { DATABASE_URL: database.databaseUrl };
    const align = (stage: string) => run("migrate/align.js", [stage], changes);
    const inTable = async (id: string) =>
      Number(
        (await sql.query("select available from wallets where customer_id = $1", [id])).rows[0].available,
      );

    expect(await align("opening")).toMatch(
      /^amy: 30.1 in the table, 30.1 more than in the wallet\ncara: .*\n$/,
    );
    expect(await Promise.all(["amy", "ben", "cara"].map(available))).toEqual([30.1, 0, 7.3]);
    expect(await align("opening")).toBe("");

    const observing = await folder.start("migrate/app.js", environment(changes));
    const asked = ["amy", "amy", "ben", "cara"].map((id) => ask(`${observing.url}/chat`, { "x-user": id }));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 402, 200]);
    await becomes("amy", 25.1);
    await becomes("cara", 4.8);
    expect(await Promise.all(["amy", "ben", "cara"].map(inTable))).toEqual([25.1, 0, 4.8]);
    expect(await align("compare")).toBe("");
    // The customer has less than the hold: the table lets it in, and the gate would not.
    expect((await ask(`${observing.url}/chat`, { "x-user": "cara" })).status).toBe(200);
    expect(observing.printed.join("")).toContain("ben would be denied: insufficient_credits");
    await vi.waitUntil(() => observing.printed.join("").includes("cara would be denied"), {
      timeout: 30_000,
    });
    await becomes("cara", 2.3);

    // A payment that went to the table alone.
    await sql.query("update wallets set available = 10 where customer_id = 'ben'");
    expect(await align("compare")).toBe("ben: 10 in the table, 10 more than in the wallet\n");
    expect(await available("ben")).toBe(0);

    const exited = once(observing.child, "exit");
    observing.child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    await plane.settled();
    expect(await run(bin, ["usage", "list", "--outcome", "unsettled"])).toBe("");
    await align("cutover");
    const enforcing = await folder.start(
      "migrate/app.js",
      environment({ ...changes, CREDITS_MODE: "enforce" }),
    );
    const denied = await ask(`${enforcing.url}/chat`, { "x-user": "cara" });
    expect([denied.status, await denied.json()]).toMatchObject([402, { code: "insufficient_credits" }]);
    expect((await ask(`${enforcing.url}/chat`, { "x-user": "ben" })).status).toBe(200);
    await becomes("ben", 7.5);
    expect(await inTable("ben")).toBe(10);
  });
});

describe.skipIf(noRedis)("on a shared Redis", () => {
  let redis: RedisServer;
  let rest: Awaited<ReturnType<typeof serveRest>>;
  let changes: NodeJS.ProcessEnv;
  beforeAll(async () => {
    redis = await startRedis("--appendonly", "yes");
    rest = await serveRest(redis.redis);
    changes = {
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      UPSTASH_REDIS_REST_URL: `http://127.0.0.1:${(rest.address() as AddressInfo).port}`,
      UPSTASH_REDIS_REST_TOKEN: "secret",
      CRON_SECRET: "a secret",
    };
    await run(bin, ["redis", "init"], changes);
  });
  afterAll(async () => {
    rest.closeAllConnections();
    rest.close();
    await redis.stop();
  });

  /** Asks all of these at once, then one after the other until the first 402; resolves to how many were served. */
  async function spend(urls: readonly string[], customer: string): Promise<number> {
    const one = async (url: string) => (await ask(`${url}/chat`, { "x-user": customer })).status;
    const statuses = await Promise.all([...urls, ...urls, ...urls, ...urls, ...urls].map(one));
    do statuses.push(await one(urls[statuses.length % urls.length] ?? ""));
    while (statuses.at(-1) === 200);
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    return statuses.filter((status) => status === 200).length;
  }

  it("instances of a function spend a wallet together, and deliver behind their responses", async () => {
    const instances = await Promise.all(
      [0, 1].map(() => folder.start("serverless/serve.js", environment(changes))),
    );
    const urls = instances.map(({ url }) => url);
    const served = await spend(urls, "serverless");
    for (const url of urls) await fetch(url);
    await plane.settled();
    expect(await available("serverless")).toBe(20 - served * 2.5);
    expect(served).toBeLessThanOrEqual(7);
    expect(served).toBeGreaterThanOrEqual(4);

    const [url = ""] = urls;
    expect((await ask(`${url}/chat`, { "x-user": "outage" })).status).toBe(200);
    await fetch(url);
    plane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
    expect((await ask(`${url}/chat`, { "x-user": "outage" })).status).toBe(200);
    await fetch(url);
    plane.faults.restore();
    expect(await redis.redis.llen("undelivered")).toBe(1);
    expect((await fetch(`${url}/deliver`)).status).toBe(401);
    const authorization = "Bearer a secret";
    expect((await fetch(`${url}/deliver`, { headers: { authorization } })).status).toBe(200);
    expect(await redis.redis.llen("undelivered")).toBe(0);
    await plane.settled();
    expect(await available("outage")).toBe(15);
  });

  it("pods spend a wallet together, and deliver what they have before they exit", async () => {
    const pods = await Promise.all([0, 1].map(() => folder.start("kubernetes/app.js", environment(changes))));
    const served = await spend(
      pods.map(({ url }) => url),
      "pods",
    );
    expect((await fetch(`${pods[0]?.url}/ready`)).status).toBe(200);
    const exits = pods.map(({ child }) => once(child, "exit"));
    for (const { child } of pods) child.kill("SIGTERM");
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ]);
    await plane.settled();
    expect(await available("pods")).toBe(20 - served * 2.5);
  });
});

describe("the manifests of a fleet", () => {
  const markdown = readFileSync(join(root, "docs/guides/kubernetes.md"), "utf8");
  const [, yaml = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(markdown) ?? [];
  const documents = parseAllDocuments(yaml).map((document) => document.toJS());

  it("fit the schemas of Kubernetes", () => {
    const [job, deployment, budget] = documents;
    new Job(job).validate();
    new Deployment(deployment).validate();
    new PodDisruptionBudget(budget).validate();
    expect(documents).toHaveLength(3);
  });

  it("leave time for what a shutdown may take", () => {
    const { spec } = documents[1].spec.template;
    const [{ lifecycle }] = spec.containers;
    // requestGraceMs and deliveryGraceMs of shutDownOnSignal(), by default, and half a second before them.
    const shutdown = 0.5 + 15 + 10;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(lifecycle.preStop.sleep.seconds + shutdown);
  });
});
