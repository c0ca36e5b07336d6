import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, connect as connectSocket, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { ExactRequest, RunningServer } from "@creditgate/conformance";
import type { Express } from "express";

/** The streams that servers of this process have open, by the port of their client and their id. */
const serverStreams = new Map<string, ServerHttp2Stream>();

interface Connection {
  readonly session: ClientHttp2Session;
  readonly socket: Socket;
}

/** One for each server, which requests share that do not end it. */
const connections = new Map<string, Connection>();

const reset: Way = (stream) => stream.close(constants.NGHTTP2_CANCEL);

type Way = (stream: ClientHttp2Stream, socket: Socket) => void;

/** What a client does that reads its answer to the end. */
const reading: Readonly<Record<string, Way>> = {
  "client stays": () => {},
  "client sends GOAWAY without an error": ({ session }) => session?.close(),
};

/** What a client does that leaves, or what happens to it. */
const leaving: Readonly<Record<string, Way>> = {
  "client resets the stream": reset,
  "client resets the stream without an error": (stream) => stream.close(constants.NGHTTP2_NO_ERROR),
  "client sends GOAWAY with an error": ({ session }) => session?.goaway(constants.NGHTTP2_INTERNAL_ERROR),
  "client destroys the session": ({ session }) => session?.destroy(),
  "the connection breaks": (_stream, socket) => socket.resetAndDestroy(),
  "server closes the stream": ({ id }, socket) =>
    serverStreams.get(`${socket.localPort}/${id}`)?.close(constants.NGHTTP2_INTERNAL_ERROR),
};
const ways = { ...reading, ...leaving };

/** What the contract needs to try an adapter over HTTP/2. */
export const overHttp2 = { send, ways: { reading: Object.keys(reading), leaving: Object.keys(leaving) } };

/** Listens on a free loopback port. */
export async function listen(
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<RunningServer> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return running(server, () => {
    const closed = once(server, "close");
    server.close();
    return closed;
  });
}

/** A server that listens, until its clients have disconnected and it has been closed. */
export function running(server: Http2Server, close: () => Promise<unknown>): RunningServer {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("stream", (stream) => {
    const name = `${stream.session?.socket.remotePort}/${stream.id}`;
    serverStreams.set(name, stream);
    stream.once("close", () => serverStreams.delete(name));
  });
  return {
    url,
    close() {
      connections.delete(url);
      const closed = close();
      // One whose client has stopped to read would never end by itself.
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

/** As HTTP/2 bridges do: without one, Express gives each request the prototype of HTTP/1.1, and throws before any middleware. */
export function bridged<App extends Pick<Express, "request" | "response">>(app: App): App {
  for (const [own, prototype] of [
    [app.request, Http2ServerRequest.prototype],
    [app.response, Http2ServerResponse.prototype],
  ] as const) {
    const ofExpress = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(own));
    Object.setPrototypeOf(own, Object.create(prototype, ofExpress));
  }
  return app;
}

/** Sends exactly these headers, and does what the reason of the signal names when that is aborted. */
async function send(url: string, { method, headers, body, signal }: ExactRequest): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  // What ends a connection ends all requests on it.
  const { session, socket } = signal === undefined ? shared(origin) : open(origin);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const head = { ":method": method, ":path": pathname + search, ...headers, ...length };
  const stream = session.request(head, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  // Before there is an answer the call rejects below; afterwards the body ends.
  stream.on("error", () => {});
  const closed = once(stream, "close").then(() => {
    if (signal !== undefined) session.close();
    throw new Error("the stream was closed before there was an answer");
  });
  closed.catch(() => {});
  signal?.addEventListener("abort", () => (ways[signal.reason] ?? reset)(stream, socket));
  const [received] = (await Promise.race([once(stream, "response"), closed])) as [
    IncomingHttpHeaders & IncomingHttpStatusHeader,
  ];
  const status = Number(received[":status"]);
  // Without `:status`, and the symbol of sensitive ones.
  const plain = Object.entries(received).filter(([name]) => !name.startsWith(":")) as [string, string][];
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  if (isEmpty) stream.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(stream) as ReadableStream), {
    status,
    headers: plain,
  });
}

function shared(origin: string): Connection {
  const connection = connections.get(origin) ?? open(origin);
  connections.set(origin, connection);
  return connection;
}

function open(origin: string): Connection {
  const { hostname, port } = new URL(origin);
  const socket = connectSocket(Number(port), hostname);
  const session = connect(origin, { createConnection: () => socket });
  // Its streams report it.
  session.on("error", () => {});
  return { session, socket };
}
