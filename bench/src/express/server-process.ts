import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTransport } from "@creditgate/client";
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

/** What stands before the route, and how much it has not sent yet. */
interface Guard {
  readonly handlers: readonly RequestHandler[];
  waiting(): Promise<number>;
}

const { contender, serviceUrl } = await task<ServerTask>();
const folder = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
const plenty = 1e9;

const guards: Readonly<Record<Contender, () => Guard>> = {
  bare: () => unsent([]),
  limited: () => unsent([rateLimit({ windowMs: 60_000, limit: plenty, keyGenerator: customerOf })]),
  instant: () => gated({ client: createInstantClient(prepaid(plenty)) }),
  posting: () => posting(),
  batches: () => gated({ client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }) }),
  singles: () => gated({ client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }) }),
  sqlite: () =>
    gated({
      client: createTransport({ baseUrl: serviceUrl, apiKey: "cg_test_bench" }),
      outbox: createSqliteOutbox({ path: path.join(folder, "outbox.db") }),
    }),
};

function unsent(handlers: readonly RequestHandler[]): Guard {
  return { handlers, waiting: async () => 0 };
}

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
  const handler: RequestHandler = (request, _response, next) => {
    void post(customerOf(request));
    next();
  };
  return { handlers: [handler], waiting: async () => waiting };
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
  const require = requireCredits(gate, {
    customer: customerOf,
    agentId: "chat",
    indicator: "message",
    hold: 1,
  });
  const report: RequestHandler = ({ credits }, _response, next) => {
    credits.report(usage, { credits: 1 });
    next();
  };
  return {
    handlers: [require, report],
    waiting: async () => (await gate.flush({ timeoutMs: 0 })).queued,
  };
}

function customerOf(request: Request): string {
  return request.get("x-customer") ?? "";
}

const guard = guards[contender]();
const app = express();
app.get("/chat", ...guard.handlers, (_request, response) => {
  response.json({ answer: "Forty-two.", model: usage.model });
});

let before = process.cpuUsage();

/** The CPU that all work since the last call has taken, that behind the answers included. */
async function spent(response: ServerResponse): Promise<void> {
  const waiting = await guard.waiting();
  while ((await guard.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  response.end(JSON.stringify({ cpuMs: (user + system) / 1_000, waiting } satisfies Spent));
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
