import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";

/** What a client has sent. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Listens on a free port of this machine until the test is over. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** A real server; the answers are given in turn, the last one again and again. */
export async function startServer(...answers: readonly RequestListener[]): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body });
      const answer = answers[Math.min(received.length, answers.length) - 1];
      answer?.(request, response);
    });
  });
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, received };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with these very bytes. */
export function raw(status: number, body: string, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Takes the request and closes the connection without an answer. */
export function hangUp(request: IncomingMessage, _: ServerResponse): void {
  request.socket.destroy();
}

/** Announces a long body, sends its beginning and closes the connection. */
export function breakOff(status: number): RequestListener {
  return (request, response) => {
    response.writeHead(status, { "content-length": "1000" });
    response.write("{", () => request.socket.destroy());
  };
}

/** Takes the request, then does something else, and never answers. */
export function neverAnswer(then: () => void): RequestListener {
  return () => then();
}

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
