import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";

/** When a client leaves: while it sends the body, once the work has begun, at the response's headers, or at its first byte. */
type Leaving = "body" | "work" | "headers" | "byte" | "stalled";

/** What is sent; `{id}` in the body is the request's own. */
export interface Target {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Sending {
  readonly leaves?: Leaving | undefined;
  /** Resolves when the work for this request has come as far as it should when the client leaves. */
  readonly until?: ((id: string) => Promise<unknown>) | undefined;
  /** How long a reader reads nothing after the first byte, in milliseconds. */
  readonly stallMs?: number | undefined;
  readonly timeoutMs: number;
  /** Over this session instead of a connection of its own. */
  readonly session?: ClientHttp2Session | undefined;
  readonly onByte?: (() => void) | undefined;
}

/** What became of a request. */
export interface Sent {
  readonly id: string;
  readonly status: number | undefined;
  readonly type: string;
  /** How the body begins. */
  readonly text: string;
  readonly ms: number;
}

let lastId = 0;

/** Sends one request, and leaves when it should. Resolves when nothing more comes of it. */
export async function send(target: Target, sending: Sending): Promise<Sent> {
  const id = `leak-${++lastId}`;
  const startedAt = Date.now();
  const body = target.body?.replaceAll("{id}", id);
  const exchange =
    sending.session === undefined ? overHttp1(target, body) : overHttp2(sending.session, target, body);
  let status: number | undefined;
  let type = "";
  let text = "";
  await new Promise<void>((resolve) => {
    const timer = setTimeout(leave, sending.timeoutMs);
    function end() {
      clearTimeout(timer);
      resolve();
    }
    function leave() {
      exchange.reset();
      end();
    }
    const leaveOnce = () => void (sending.until?.(id) ?? Promise.resolve()).then(leave);
    const leaveAfter = (ms: number) => void delay(ms).then(leave);
    exchange.listen({
      headers(given, contentType) {
        status = given;
        type = contentType;
        if (sending.leaves === "headers") leave();
      },
      data(chunk) {
        text ||= chunk.toString("utf8", 0, 300);
        sending.onByte?.();
        if (sending.leaves === "byte") leaveOnce();
        if (sending.leaves === "stalled") {
          exchange.pause();
          leaveAfter(sending.stallMs ?? 0);
        }
      },
      end,
    });
    // The server has read what was sent before the connection is reset.
    if (sending.leaves === "body") leaveAfter(50);
    if (sending.leaves === "work") leaveOnce();
    exchange.start(sending.leaves === "body");
  });
  return { id, status, type, text, ms: Date.now() - startedAt };
}

interface Listeners {
  headers(status: number, contentType: string): void;
  data(chunk: Buffer): void;
  end(): void;
}

interface Exchange {
  listen(listeners: Listeners): void;
  /** Sends the body, or half of it. */
  start(half: boolean): void;
  pause(): void;
  reset(): void;
}

function overHttp1({ url, method, headers }: Target, body: string | undefined): Exchange {
  const options = { method, headers: { ...headers, ...lengthOf(body) }, agent: false } as const;
  const request: ClientRequest =
    url.protocol === "https:"
      ? httpsRequest(url, { ...options, rejectUnauthorized: false })
      : httpRequest(url, options);
  let response: IncomingMessage | undefined;
  return {
    listen({ headers: onHeaders, data, end }) {
      request.on("error", end).on("close", end);
      request.on("response", (incoming) => {
        response = incoming;
        incoming.on("data", data).on("error", end).on("close", end);
        onHeaders(incoming.statusCode ?? 0, incoming.headers["content-type"] ?? "");
      });
    },
    start(half) {
      if (!half) return void request.end(body);
      request.flushHeaders();
      if (body !== undefined) request.write(body.slice(0, body.length / 2));
    },
    pause: () => response?.pause(),
    reset() {
      // Over TLS there is no reset of its own. One of a socket that is being ended would keep this process from its exit.
      const isReset = url.protocol === "http:" && request.socket?.writableEnded === false;
      if (isReset) request.socket?.resetAndDestroy();
      request.destroy();
    },
  };
}

function overHttp2(
  session: ClientHttp2Session,
  { url, method, headers }: Target,
  body: string | undefined,
): Exchange {
  const sent = { ":method": method, ":path": `${url.pathname}${url.search}`, ...headers, ...lengthOf(body) };
  const stream: ClientHttp2Stream = session.request(sent, { endStream: body === undefined });
  return {
    listen({ headers: onHeaders, data, end }) {
      stream.on("error", end).on("close", end);
      stream.on("response", (given) => onHeaders(given[":status"] ?? 0, String(given["content-type"] ?? "")));
      stream.on("data", data);
    },
    start(half) {
      if (body === undefined) return;
      if (half) stream.write(body.slice(0, body.length / 2));
      else stream.end(body);
    },
    pause: () => stream.pause(),
    reset: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

/** A session of HTTP/2, by TLS or in the clear; `undefined` if the server does not have it. */
export function openSession({ origin, protocol }: URL): Promise<ClientHttp2Session | undefined> {
  return new Promise((resolve) => {
    const session = connect(origin, { rejectUnauthorized: false });
    const no = () => {
      session.destroy();
      resolve(undefined);
    };
    const timer = setTimeout(no, 2_000);
    session.on("error", no).on("close", no);
    session.once("remoteSettings", () => {
      clearTimeout(timer);
      if (protocol === "https:" && session.alpnProtocol !== "h2") no();
      else resolve(session);
    });
  });
}
