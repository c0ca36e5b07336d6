// A chat with credits, written by hand, that leaks nothing. Each middleware in broken.ts differs from it by one cause.
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";

const {
  CREDITGATE_BASE_URL,
  CREDITGATE_API_KEY,
  OPENAI_BASE_URL,
  PORT,
  TIMEOUT_MS,
  JOURNAL,
  TLS_KEY,
  TLS_CERT,
} = process.env;
const lagMs = 10_000;

/** Messages that are not debited yet, at a credit each: in work, not delivered, or delivered less than `lagMs` ago. */
const open = new Set();

function record(line) {
  appendFileSync(JOURNAL, `${line}\n`);
}

async function billing(path, init = {}) {
  const headers = { "service-api-key": CREDITGATE_API_KEY, ...init.headers };
  const signal = AbortSignal.timeout(Number(TIMEOUT_MS));
  const response = await fetch(`${CREDITGATE_BASE_URL}${path}`, { ...init, headers, signal });
  if (!response.ok) throw new Error(`billing answers ${response.status}`);
  return response.json();
}

/** Holds a credit for a message; `undefined` if the wallet cannot pay it. */
async function admit(customer) {
  const { balances } = await billing(`/api/v1/wallet/balance?customer_id=${customer}`);
  const held = [...open].filter((message) => message.customer === customer).length;
  if (balances.ai_credits.available - held < 1) return undefined;
  const message = { key: crypto.randomUUID(), customer };
  open.add(message);
  record(`open ${message.key} ${customer}`);
  return message;
}

/** Reports a message under its key, until the service has stored it. */
async function pay(message) {
  const body = JSON.stringify({
    ...{ customerId: message.customer, agentId: "chat", indicator: "message" },
    rawUsage: { model: "gpt-5", inputTokens: 10, outputTokens: 20 },
  });
  const headers = { "content-type": "application/json", "idempotency-key": message.key };
  for (let pauseMs = 50; ; pauseMs = Math.min(500, 2 * pauseMs)) {
    try {
      await billing("/api/v2/usage", { method: "POST", headers, body });
      break;
    } catch {
      await delay(pauseMs);
    }
  }
  record(`closed ${message.key}`);
  setTimeout(() => open.delete(message), lagMs).unref();
}

async function requireCredits(request, response, work) {
  const left = new AbortController();
  response.once("close", () => left.abort());
  const customer = request.headers["x-customer"];
  if (customer === undefined) return refuse(response, 401);
  let message;
  try {
    message = await admit(customer);
  } catch {
    return refuse(response, 503);
  }
  if (message === undefined) return refuse(response, 402);
  const state = { asked: false };
  try {
    await work(request, response, left.signal, state);
  } catch {
    response.destroy();
  } finally {
    if (state.asked) void pay(message);
    else {
      open.delete(message);
      record(`closed ${message.key}`);
    }
  }
}

/** Passes the model's stream on. */
async function chat(request, response, signal, state) {
  let content = "";
  for await (const chunk of request) content += chunk;
  signal.throwIfAborted();
  state.asked = true;
  const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-5", stream: true, messages: [{ role: "user", content }] }),
    signal,
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const chunk of answer.body)
    if (!response.write(chunk)) await once(response, "drain", { signal });
  response.end();
}

function refuse(response, status) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ status }));
}

// What an earlier process left is billed.
const lines = existsSync(JOURNAL) ? readFileSync(JOURNAL, "utf8").trim().split("\n") : [];
const closed = new Set(lines.filter((line) => line.startsWith("closed")).map((line) => line.split(" ")[1]));
for (const [, key, customer] of lines.map((line) => line.split(" "))) {
  if (customer === undefined || closed.has(key)) continue;
  const message = { key, customer };
  open.add(message);
  void pay(message);
}

function serve(request, response) {
  if (new URL(request.url, "http://localhost").pathname !== "/chat") return refuse(response, 404);
  return requireCredits(request, response, chat);
}

const server = TLS_KEY
  ? createSecureServer({ key: TLS_KEY, cert: TLS_CERT, allowHTTP1: true }, serve)
  : createServer(serve);
server.listen(Number(PORT), "127.0.0.1");
process.once("SIGTERM", () => server.close(() => process.exit()));
