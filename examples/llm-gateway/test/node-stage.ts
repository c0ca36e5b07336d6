import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { listedPrices } from "@creditgate/ai";
import { createTestGate } from "@creditgate/core/testing";
import { onTestFinished } from "vitest";
import { createGateway } from "../src/gateway.ts";
import { createNodeFetch } from "../src/node-fetch.ts";
import { nodeListener } from "../src/node-listener.ts";

export const price = { perThousandInputTokens: 0.1, perThousandOutputTokens: 1 };
export const prices = listedPrices({
  modelPrices: [
    { provider: "openai", model: "gpt-5", price },
    { provider: "anthropic", model: "claude", price },
  ],
});
export const ask = { model: "gpt-5", messages: [{ role: "user", content: "hi" }] };
export const usage = { prompt_tokens: 10, completion_tokens: 20 };
export const answer = JSON.stringify({ choices: [{ message: { content: "A wallet" } }], usage });
export const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
export const word = event({ choices: [{ delta: { content: " word" } }] });

/** A header that the gateway alone sends to the provider. */
const mark = "x-from-gateway";

export type Respond = (response: ServerResponse, request: IncomingMessage) => void;

export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The gateway on Node, in front of a provider that answers so. */
export async function stage(respond: Respond, stalledMs?: number) {
  const provider = await serve((request, response) => {
    // Somebody else's: the system gives a port again that an ended test had, whose gate may still post to it.
    if (request.headers[mark] === undefined) response.writeHead(404).end();
    else request.resume().on("end", () => respond(response, request));
  });
  const scene = createTestGate({ alice: 1_000 });
  const baseUrl = `http://127.0.0.1:${provider}/v1`;
  const gateway = createGateway({
    gate: scene.gate,
    agentId: "gateway",
    indicator: "call",
    payerOf: (token) => (token === "t" ? { customer: "alice" } : undefined),
    prices: () => prices,
    upstreams: {
      openai: { baseUrl, provider: "openai", headers: { [mark]: "" } },
      anthropic: { baseUrl, provider: "anthropic", headers: { [mark]: "" } },
    },
    maxOutputTokens: 4_096,
    maxBodyBytes: 1_000_000,
    send: createNodeFetch(),
  });
  const listener = nodeListener(gateway, stalledMs);
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

/** What a server says to these bytes, until it closes the connection. */
export async function said(port: number, ...bytes: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  for (const some of bytes) socket.write(some);
  await once(socket, "close");
  return text;
}
