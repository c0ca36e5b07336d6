import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createTransport, endpoints } from "@creditgate/client";
import { createGate, type GateOptions } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import { createSqliteOutbox } from "@creditgate/sqlite";
import express, { type Request, type RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import { Pool } from "undici";
import { listen } from "../contest/listen.ts";
import { createInstantClient, prepaid } from "../instant-client.ts";
import { LeastGate, type LeastOptions } from "./least-gate.ts";
import { type RungName, rungs } from "./rungs.ts";

/** What the process has spent, and how many reports its service in process has accepted, since it started. */
export interface Spent {
  readonly cpuUs: number;
  readonly billed: number;
}

interface Rung {
  readonly handlers: readonly RequestHandler[];
  /** How many reports are not acknowledged yet. */
  waiting?(): number | Promise<number>;
  stop?(): Promise<unknown>;
}

const plenty = 1e9;
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
const work = { agentId: "chat", indicator: "message" };
const customerOf = ({ headers }: Request): string => String(headers["x-customer"]);
const answer: RequestHandler = (_request, response) => {
  response.json({ answer: "Forty-two.", model: usage.model });
};

/** Serves `GET /chat` behind this rung. `GET /spent` responds when all usage is delivered. */
export async function startApplication(
  name: RungName,
  serviceUrl: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  let billed = 0;
  const { handlers, waiting, stop } = await start[name]({
    service: { baseUrl: serviceUrl, apiKey: name },
    bill: (reports) => {
      billed += reports;
    },
  });
  const app = express();
  app.get("/chat", ...handlers);
  const server = await listen(
    createServer(async (request, response) => {
      if (request.url !== "/spent") return app(request, response);
      while (((await waiting?.()) ?? 0) > 0) await setTimeout(5);
      const { user, system } = process.cpuUsage();
      response.end(JSON.stringify({ cpuUs: user + system, billed } satisfies Spent));
    }),
  );
  return {
    url: server.url,
    async stop() {
      server.stop();
      await stop?.();
    },
  };
}

interface Task {
  readonly service: { readonly baseUrl: string; readonly apiKey: RungName };
  /** Counts reports that a service in process has accepted. */
  bill(reports: number): void;
}

const start: Readonly<Record<RungName, (task: Task) => Rung | Promise<Rung>>> = {
  bare: () => ({ handlers: [answer] }),
  listener: () => {
    const handler: RequestHandler = (request, response, next) => {
      response.once("finish", () => undefined);
      answer(request, response, next);
    };
    return { handlers: [handler] };
  },
  limited: () => ({
    handlers: [rateLimit({ windowMs: 60_000, limit: plenty, keyGenerator: customerOf }), answer],
  }),
  leastInstant: ({ bill }) =>
    least({ batchLimit: 500, balance: async () => plenty, deliver: async ({ length }) => bill(length) }),
  leastBatches: leastPosting,
  leastSingles: leastPosting,
  instant({ bill }) {
    const service = createInstantClient(prepaid(plenty));
    const send: typeof service.send = (endpoint, input, options) => {
      if (endpoint === endpoints.usageReport) bill(1);
      return service.send(endpoint, input, options);
    };
    return gated({ client: { ...service, send } });
  },
  batches: ({ service }) => gated({ client: createTransport(service) }),
  singles: ({ service }) => gated({ client: createTransport(service) }),
  async sqlite({ service }) {
    const folder = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
    const outbox = createSqliteOutbox({ path: path.join(folder, "outbox.db") });
    const rung = gated({ client: createTransport(service), outbox });
    return {
      ...rung,
      async stop() {
        await rung.stop?.();
        await outbox.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};

function gated(options: Pick<GateOptions, "client" | "outbox">): Rung {
  const common = { currency: "ai_credits", wallet: "prepaid", check: false, lagWatch: false } as const;
  // The API of OpenTelemetry is installed here for the tests; most applications have none.
  const gate = createGate({ ...common, openTelemetry: false, ...options } as GateOptions);
  const paid = { ...work, customer: customerOf, hold: 1 };
  const handler = requireCredits(gate, paid, (request, response, next) => {
    request.credits.report(usage, { credits: 1 });
    answer(request, response, next);
  });
  return {
    handlers: [handler],
    waiting: async () => (await gate.flush()).queued,
    stop: () => gate.close({ graceMs: 1_000 }),
  };
}

function least(options: Omit<LeastOptions, "customerOf">): Rung {
  const gate = new LeastGate({ customerOf, ...options });
  const handler = gate.guard((request, response, charge) => {
    charge.report(usage);
    answer(request, response, () => undefined);
  });
  return { handlers: [handler], waiting: () => gate.undelivered };
}

function leastPosting({ service: { baseUrl, apiKey } }: Task): Rung {
  const pool = new Pool(baseUrl, { connections: 64 });
  const send = async (path: string, body?: object, key?: string) => {
    const response = await pool.request({
      method: body === undefined ? "GET" : "POST",
      path,
      headers: {
        "content-type": "application/json",
        "service-api-key": apiKey,
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`answered ${response.statusCode}`);
    return JSON.parse(text);
  };
  const isSingle = rungs[apiKey].delivery === "one by one";
  const rung = least({
    batchLimit: isSingle ? 1 : 500,
    async balance(customerId) {
      const { balances } = await send(`${endpoints.walletBalance.path}?customer_id=${customerId}`);
      return balances.ai_credits.available - balances.ai_credits.unsettled;
    },
    async deliver(of) {
      const reports = of.map(({ key, customerId, usage }) => ({ ...work, key, customerId, rawUsage: usage }));
      if (isSingle)
        return send(endpoints.usageReport.path, { ...reports[0], key: undefined }, reports[0]?.key);
      const { results } = await send(endpoints.usageBatch.path, { reports });
      if (results.some(({ status }: { status: number }) => status >= 300)) throw new Error("not accepted");
    },
  });
  return { ...rung, stop: () => pool.destroy() };
}
