import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type Caller, caller, type Received, usageOf } from "./caller.ts";

/** Clients that never rest, behind what divides them among the servers that are ready. */
export interface Load {
  /** Sends requests to a server too. */
  add(baseUrl: string): void;
  /** Waits until a server that is being stopped says that it is not ready, and sends it no more. */
  leave(baseUrl: string): Promise<void>;
  /** Resolves when so many more requests have been answered, by each server that there is. */
  answered(requests: number): Promise<void>;
  /** The keys of usage that was accepted up to now, of calls too. */
  readonly usage: ReadonlySet<string>;
  stop(): Promise<LoadResult>;
  /** Sends again each request that has a key and was answered; resolves those that are answered otherwise. */
  repeat(): Promise<readonly string[]>;
}

export interface LoadOptions {
  /** Whether a request is sent again until it is answered, as a gate does: an outage is no failure then. */
  readonly isPatient?: boolean;
}

interface LoadResult {
  /** Requests with an answer that is none of success, or without one. */
  readonly failures: readonly string[];
  /** Requests that were answered. */
  readonly requests: number;
  /** The keys of usage that was accepted, of calls too. */
  readonly usage: ReadonlySet<string>;
}

const clients = 8;
/** Between two attempts of one that is patient. */
const retryMs = 100;
const key = (idempotencyKey: string) => ({ "idempotency-key": idempotencyKey });

export function startLoad(apiKey: string, { isPatient = false }: LoadOptions = {}): Load {
  const servers = new Map<string, { readonly call: Caller; requests: number }>();
  const failures: string[] = [];
  const usage = new Set<string>();
  const answers: { readonly request: Parameters<Caller>; readonly text: string }[] = [];
  const waiting = new Set<() => void>();
  let requests = 0;
  let turn = 0;
  let isStopping = false;

  /** As a proxy does: the next server in turn. */
  const send: Caller = async (...request) => {
    const all = [...servers.values()];
    turn += 1;
    const server = all[turn % all.length];
    if (server === undefined) throw new Error("no server is ready");
    const received = await server.call(...request);
    const reports = received.json.results;
    const isRefused = Array.isArray(reports) && reports.some(({ status }) => status === 503);
    if (isPatient && (received.status === 503 || isRefused)) {
      await setTimeout(retryMs);
      return send(...request);
    }
    server.requests += 1;
    return received;
  };
  const call: Caller = async (...request) => {
    const received = await send(...request);
    const [method, path, sending] = request;
    requests += 1;
    for (const look of waiting) look();
    if (received.status >= 300) failures.push(`${method} ${path}: ${received.status} ${received.text}`);
    else if (sending?.headers !== undefined) answers.push({ request, text: received.text });
    return received;
  };
  const client = async (): Promise<void> => {
    const kinds = Object.values(kindsOf(call, usage));
    while (!isStopping) {
      for (const kind of kinds) {
        await kind().catch((error: unknown) => failures.push(`${error} ${causeOf(error)}`));
        if (isStopping) return;
      }
    }
  };
  let running: Promise<unknown> | undefined;

  return {
    usage,
    add(baseUrl) {
      servers.set(baseUrl, { call: caller({ baseUrl, apiKey }), requests: 0 });
      running ??= Promise.all(Array.from({ length: clients }, client));
    },
    async leave(baseUrl) {
      for (;;) {
        const ready = await fetch(`${baseUrl}/ready`);
        await ready.text();
        if (ready.status !== 200) break;
      }
      servers.delete(baseUrl);
    },
    answered: (more) =>
      new Promise((resolve) => {
        const goals = [...servers.values()].map((server) => ({ server, goal: server.requests + more }));
        const look = () => {
          // A load that fails goes on to its end, where the failures are told.
          if (
            (isPatient || failures.length === 0) &&
            goals.some(({ server, goal }) => server.requests < goal)
          )
            return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async stop() {
      isStopping = true;
      await running;
      return { failures, requests, usage };
    },
    async repeat() {
      const others: string[] = [];
      for (const { request, text } of answers) {
        const again = await send(...request);
        if (again.text !== text) others.push(`${request[1]}: ${text} ${again.text}`);
      }
      return others;
    },
  };
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? String(error.cause) : "";
}

/** What clients of either version do, one after the other. Each request may come to another server. */
function kindsOf(call: Caller, usage: Set<string>): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    async report() {
      const id = randomUUID();
      const send = () => call("POST", "/api/v2/usage", { body: usageOf(), headers: key(id) });
      const first = await send();
      usage.add(id);
      // As a gate does whose answer got lost: the other version must know it.
      const second = await send();
      sameId(first, second);
    },
    async batch() {
      const reports = Array.from({ length: 5 }, () => ({ key: randomUUID() }));
      const body = { reports: reports.map(({ key }) => usageOf({ indicator: "speech", key })) };
      const { json } = await call("POST", "/api/v2/usage/batch", { body });
      for (const { status } of json.results as { status: number }[]) {
        if (status !== 202) throw new Error(`a report of a batch: ${status}`);
      }
      for (const { key } of reports) usage.add(key);
    },
    balance: () => call("GET", "/api/v1/wallet/balance?customer_id=alice"),
    async topUp() {
      const body = {
        customer_id: "alice",
        top_ups: [{ credit_currency_key: "ai_credits", credits: 5 }],
      };
      const headers = key(randomUUID());
      await call("POST", "/api/v1/wallet/top-up", { body, headers });
      await call("POST", "/api/v1/wallet/top-up", { body, headers });
    },
    async order() {
      const customer = randomUUID();
      await call("POST", "/api/v1/customers/create-or-get", { body: { externalId: customer, name: "New" } });
      const { json } = await call("POST", "/api/v1/orders", {
        headers: key(randomUUID()),
        body: {
          customerExternalId: customer,
          orderName: "Plan",
          startDate: "2026-02-28",
          lineItems: [
            {
              agentId: "chat",
              platformFee: { amount: 4900, currency: "EUR" },
              creditBenefits: [{ credit_currency_key: "ai_credits", credits: 10 }],
            },
          ],
        },
      });
      const [invoice] = json.invoices as { invoiceId: string }[];
      await call("POST", `/api/v1/invoices/${invoice?.invoiceId}/mark-paid`);
      await call("GET", `/api/v1/wallet/balance?customer_id=${customer}`);
    },
    async voice() {
      const sessionId = randomUUID();
      const body = { sessionId, agentId: "chat", customerId: "alice" };
      await call("POST", "/api/v1/voice/session", { body, headers: key(randomUUID()) });
      await call("POST", "/api/v1/voice/tts", {
        body: { sessionId, characters: 100 },
        headers: key(randomUUID()),
      });
      const { status } = await call("POST", "/api/v1/voice/indicator", {
        body: { sessionId, indicator: "speech", totalDuration: 1 },
        headers: key(randomUUID()),
      });
      if (status < 300) usage.add(sessionId);
    },
  };
}

function sameId(first: Received, second: Received): void {
  if (first.json.id !== second.json.id) throw new Error(`a repeated report: ${first.text} ${second.text}`);
}
