import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createTransport, gateEndpoints } from "@creditgate/client";
import { createGate, type Gate, type GateOptions } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import { createSqliteOutbox } from "@creditgate/sqlite";
import express, { type Request, type RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import { Pool } from "undici";
import { task, tell } from "../control-plane/child.ts";
import { createInstantClient, prepaid } from "../instant-client.ts";
import type { Contender, Spent } from "./contender.ts";

export interface ServerTask {
  readonly contender: Contender;
  readonly serviceUrl: string;
}

/** What stands before the route. */
interface Guard {
  readonly handlers?: readonly RequestHandler[];
  /** What the route does before it answers. */
  report?(request: Request): void;
  /** How much is not sent yet. */
  waiting?(): Promise<number>;
}

const { contender, serviceUrl } = await task<ServerTask>();
const folder = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
const plenty = 1e9;

const guards: Readonly<Record<Contender, () => Guard>> = {
  bare: () => ({}),
  limited: () => ({
    handlers: [rateLimit({ windowMs: 60_000, limit: plenty, keyGenerator: customerOf })],
  }),
  instant: () => gated({ client: createInstantClient(prepaid(plenty)) }),
  posting: () => posting(),
  gathering: () => gathering(),
  batches: () => gated({ client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }) }),
  singles: () => gated({ client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }) }),
  sqlite: () =>
    gated({
      client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }),
      outbox: createSqliteOutbox({ path: path.join(folder, "outbox.db") }),
    }),
};

/** What a user writes by hand who does not care whether it arrives. */
function posting(): Guard {
  const pool = new Pool(serviceUrl, { connections: 64 });
  let waiting = 0;
  const post = async (customerId: string): Promise<void> => {
    waiting++;
    const { body } = await pool.request({
      path: "/api/v2/usage",
      method: "POST",
      headers: {
        "content-type": "application/json",
        "service-api-key": "cg_test_bench",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({ agentId: "chat", customerId, indicator: "message", rawUsage: usage }),
    });
    await body.json();
    waiting--;
  };
  return { report: (request) => void post(customerOf(request)), waiting: async () => waiting };
}

/** The least that delivers the same: one batch on its way, and what comes meanwhile in the next. */
function gathering(): Guard {
  const pool = new Pool(serviceUrl, { connections: 64 });
  let reports: object[] = [];
  let waiting = 0;
  let isBusy = false;
  const post = async (): Promise<void> => {
    isBusy = true;
    while (reports.length > 0) {
      const batch = reports;
      reports = [];
      const { body } = await pool.request({
        path: gateEndpoints.usageBatch.path,
        method: "POST",
        headers: { "content-type": "application/json", "service-api-key": "cg_test_bench" },
        body: JSON.stringify({ reports: batch }),
      });
      await body.json();
      waiting -= batch.length;
    }
    isBusy = false;
  };
  return {
    report(request) {
      const customerId = customerOf(request);
      reports.push({ key: randomUUID(), agentId: "chat", customerId, indicator: "message", rawUsage: usage });
      waiting++;
      if (!isBusy) void post();
    },
    waiting: async () => waiting,
  };
}

function gated(options: Pick<GateOptions, "client" | "outbox">): Guard {
  // The API of OpenTelemetry is installed here for the tests; most applications have none.
  const common = {
    currency: "ai_credits",
    wallet: "prepaid",
    openTelemetry: false,
    lagWatch: false,
  } as const;
  const gate: Gate = createGate({ ...common, ...options } as GateOptions);
  gate.on("degraded", ({ what, error }) => console.error(`degraded: ${what}`, error));
  const paid = { customer: customerOf, agentId: "chat", indicator: "message", hold: 1 };
  return {
    handlers: [requireCredits(gate, paid)],
    report: ({ credits }) => credits.report(usage, { credits: 1 }),
    waiting: async () => (await gate.flush({ timeoutMs: 0 })).queued,
  };
}

function customerOf(request: Request): string {
  return String(request.headers["x-customer"]);
}

const { handlers = [], report, waiting = async () => 0 } = guards[contender]();
const app = express();
app.get("/chat", ...handlers, (request, response) => {
  report?.(request);
  response.json({ answer: "Forty-two.", model: usage.model });
});

let before = process.cpuUsage();

/** The CPU that all work since the last call has taken, that behind the answers included. */
async function spent(response: ServerResponse): Promise<void> {
  const left = await waiting();
  while ((await waiting()) > 0) await setTimeout(5);
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  response.end(JSON.stringify({ cpuMs: (user + system) / 1_000, waiting: left } satisfies Spent));
}

const server = createServer((request, response) => {
  if (request.url === "/spent") void spent(response);
  else app(request, response);
});
server.keepAliveTimeout = 0;
process.once("SIGTERM", () => {
  void rm(folder, { recursive: true, force: true }).then(() => process.exit(0));
});
await once(server.listen(0, "127.0.0.1"), "listening");
tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
