import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { listedPrices } from "@creditgate/ai";
import { createTestGate } from "@creditgate/core/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { createGateway } from "../src/gateway.ts";
import { createNodeFetch } from "../src/node-fetch.ts";
import { nodeListener } from "../src/node-listener.ts";
import { currentPrices } from "../src/prices.ts";

const price = { perThousandInputTokens: 0.1, perThousandOutputTokens: 1 };
const prices = listedPrices({
  modelPrices: [
    { provider: "openai", model: "gpt-5", price },
    { provider: "anthropic", model: "claude", price },
  ],
});
const ask = { model: "gpt-5", messages: [{ role: "user", content: "hi" }] };
const usage = { prompt_tokens: 10, completion_tokens: 20 };
const answer = JSON.stringify({ choices: [{ message: { content: "A wallet" } }], usage });
const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const word = event({ choices: [{ delta: { content: " word" } }] });

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The gateway on Node, in front of a provider that answers so. */
async function stage(respond: (response: ServerResponse, request: IncomingMessage) => void) {
  const provider = await serve((request, response) => {
    request.resume().on("end", () => respond(response, request));
  });
  const scene = createTestGate({ alice: 1_000 });
  const baseUrl = `http://127.0.0.1:${provider}/v1`;
  const gateway = createGateway({
    gate: scene.gate,
    agentId: "gateway",
    indicator: "call",
    customerOf: (token) => (token === "t" ? "alice" : undefined),
    prices: () => prices,
    upstreams: {
      openai: { baseUrl, provider: "openai", headers: {} },
      anthropic: { baseUrl, provider: "anthropic", headers: {} },
    },
    maxOutputTokens: 4_096,
    maxBodyBytes: 1_000_000,
    send: createNodeFetch(),
  });
  const listener = nodeListener(gateway);
  let left = () => {};
  const leaving = new Promise<void>((resolve) => {
    left = resolve;
  });
  const port = await serve((request, response) => {
    response.once("close", left);
    listener(request, response);
  });
  const headers = { authorization: "Bearer t", "content-type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${port}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { scene, port, post, leaving };
}

it.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("unpacks an answer that a provider packs though nobody asked it to: %s", async (encoding, pack) => {
  const { scene, post } = await stage((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(pack(answer));
  });
  expect(await (await post("chat/completions", ask)).text()).toBe(answer);
  await vi.waitUntil(async () => (await scene.outcome("alice")).billed.length > 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).billed).toMatchObject([{ inputTokens: 10, outputTokens: 20 }]);
});

it("bills nothing for an answer that it cannot unpack", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { scene, post } = await stage((response) => {
    response.writeHead(200, { "content-encoding": "own" });
    response.end(answer);
  });
  expect((await post("chat/completions", ask)).status).toBe(502);
  expect(await scene.outcome("alice")).toMatchObject({ held: 0, billed: [] });
  said.mockRestore();
});

it("stops all models that a connection has asked, one behind the other, when it breaks", async () => {
  const left: Promise<unknown>[] = [];
  const { scene, port } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(word);
    left.push(once(response, "close"));
  });
  const body = JSON.stringify({ ...ask, stream: true });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nauthorization: Bearer t\r\ncontent-length: ${body.length}`;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\n\r\n${body}`.repeat(3));
  await vi.waitUntil(() => left.length === 3, { timeout: 30_000 });
  await once(socket, "data");
  socket.destroy();
  await Promise.all(left);
  await scene.clock.advance(1_000);
  await vi.waitUntil(async () => (await scene.outcome("alice")).held === 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).settlements).toBe(3);
});

it("bills the thoughts that are told at the end to a client that leaves before it", async () => {
  let finish = () => {};
  const { scene, post, leaving } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(word);
    const completion_tokens_details = { reasoning_tokens: 4_000 };
    const told = { ...usage, completion_tokens: 4_001, completion_tokens_details };
    finish = () => response.end(`${event({ choices: [], usage: told })}data: [DONE]\n\n`);
  });
  const reader = (await post("chat/completions", { ...ask, stream: true })).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await leaving;
  finish();
  await vi.waitUntil(async () => (await scene.outcome("alice")).billed.length > 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).billed).toMatchObject([
    { outputTokens: 4_001, reasoningTokens: 4_000 },
  ]);
});

it.each([
  ["openai", 429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }],
  ["anthropic", 400, { type: "error", error: { message: "Your credit balance is too low to access" } }],
])("keeps from its clients that the account at %s has no money left", async (dialect, status, body) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { scene, post } = await stage((response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const response =
    dialect === "openai"
      ? await post("chat/completions", ask)
      : await post("messages", { ...ask, model: "claude", max_tokens: 9 });
  expect([response.status, await response.text()]).toEqual([502, expect.not.stringMatching(/quota|balance/)]);
  expect(said).toHaveBeenCalledWith(expect.stringContaining(`${dialect} refuses the gateway: ${status}`));
  expect((await scene.outcome("alice")).held).toBe(0);
  said.mockRestore();
});

const document = { type: "document", source: { type: "base64", data: "AAAA" } };
it.each<[string, string, object]>([
  ["what has an id alone", "responses", { model: "gpt-5", input: [{ id: "msg_1" }] }],
  ["what has an id and no type", "responses", { model: "gpt-5", input: [{ id: "msg_1", type: null }] }],
  ["a dearer way to think", "responses", { model: "gpt-5", input: "", reasoning: { mode: "pro" } }],
  [
    "a message that calls itself an image",
    "chat/completions",
    { ...ask, messages: [{ role: "user", type: "image", content: "long" }] },
  ],
  [
    "what was spoken before",
    "chat/completions",
    { ...ask, messages: [{ role: "assistant", audio: { id: "a" } }] },
  ],
  [
    "a file in what a tool of the provider has found",
    "messages",
    {
      model: "claude",
      max_tokens: 9,
      messages: [
        { role: "user", content: [{ type: "web_fetch_tool_result", content: { content: document } }] },
      ],
    },
  ],
])("refuses %s", async (_, path, body) => {
  let asked = 0;
  const { post } = await stage((response) => {
    asked++;
    response.end(answer);
  });
  const response = await post(path, body);
  expect([response.status, asked]).toEqual([400, 0]);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("expected") } });
});

it("refuses content that is nested without end", async () => {
  const { port } = await stage((response) => response.end(answer));
  const deep = 200_000;
  const body = `{"model":"gpt-5","messages":${"[".repeat(deep)}${"]".repeat(deep)}}`;
  const init = { method: "POST", headers: { authorization: "Bearer t" }, body };
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, init);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toContain("expected content that is nested less");
});

it("asks once for prices that have become old, and goes on with them where the service hangs", async () => {
  let nowMs = 0;
  let asked = 0;
  let isHanging = false;
  const modelPrices = [{ provider: "openai", model: "gpt-5", price }];
  const agents = [{ agentId: "a", indicators: [{ name: "i", price: {}, modelPrices }] }];
  const list = () => {
    asked++;
    return isHanging ? new Promise<never>(() => {}) : Promise.resolve({ agents });
  };
  const current = currentPrices({ agents: { list } }, { agentId: "a", indicator: "i" }, () => nowMs);
  const first = await current();
  nowMs = 60_000;
  isHanging = true;
  expect(await Promise.all([current(), current(), current()])).toEqual([first, first, first]);
  expect(asked).toBe(2);
});
