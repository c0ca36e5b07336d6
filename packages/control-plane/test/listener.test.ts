import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { limitConnections } from "../src/http/connection-limits.ts";
import { type Listener, type ListenOptions, listen } from "../src/http/listener.ts";

let listener: Listener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.drain(0);
});

async function start(options: Omit<ListenOptions, "host" | "port">): Promise<number> {
  const host = { host: "127.0.0.1", port: 0 };
  listener = await listen((_request, response) => response.end("ok"), { ...host, ...options });
  return Number(new URL(listener.url).port);
}

/** A connection, with what came over it until its end. */
function open(port: number, localAddress = "127.0.0.1") {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  let received = "";
  socket.setEncoding("latin1").on("data", (data) => {
    received += data;
  });
  return { socket, ended: once(socket, "close").then(() => received) };
}

/** A connection that the server has taken, and keeps. */
async function opened(port: number, localAddress?: string) {
  const connection = open(port, localAddress);
  connection.socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(connection.socket, "data");
  return connection;
}

/** What a request gets that needs a connection of its own. */
function asked(port: number, localAddress?: string): Promise<string> {
  const { socket, ended } = open(port, localAddress);
  socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  return ended;
}

describe("listen", () => {
  it("ends a connection over which no request comes, or only a part of its head", async () => {
    const port = await start({ headTimeoutMs: 50 });
    const [silent, partial] = [open(port), open(port)];
    partial.socket.write("GET / HTTP/1.1\r\nhost: ");
    expect(await silent.ended).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(await partial.ended).toMatch(/^HTTP\/1.1 408 /);
  });

  it("ends a request whose body does not come", async () => {
    listener = await listen((request, response) => request.resume().once("end", () => response.end()), {
      host: "127.0.0.1",
      port: 0,
      headTimeoutMs: 50,
      requestTimeoutMs: 100,
    });
    const { socket, ended } = open(Number(new URL(listener.url).port));
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1234");
    expect(await ended).toMatch(/^HTTP\/1.1 408 /);
  });

  it("closes connections beyond the most it may have, and takes others when these have ended", async () => {
    const port = await start({ maxConnections: 2 });
    const [first] = [await opened(port), await opened(port)];
    expect(await open(port).ended).toBe("");
    first.socket.end();
    await first.ended;
    await expect.poll(async () => (await asked(port)).slice(0, 15)).toBe("HTTP/1.1 200 OK");
  });

  it("closes connections of an address beyond its part, tells of them, and takes those of others", async () => {
    const refused: unknown[] = [];
    const port = await start({
      maxConnections: 4,
      maxPerAddress: 2,
      onRefused: (connection) => refused.push(connection),
    });
    const [first, second] = [await opened(port), await opened(port)];
    expect(await open(port).ended).toBe("");
    expect(refused).toEqual([{ reason: "address", address: "127.0.0.1" }]);
    await opened(port, "127.0.0.2");
    await opened(port, "127.0.0.2");
    expect(await open(port, "127.0.0.3").ended).toBe("");
    expect(refused.slice(1)).toEqual([{ reason: "all", address: "127.0.0.3" }]);
    // What has ended counts no more.
    first.socket.end();
    await first.ended;
    await expect.poll(async () => (await asked(port)).slice(0, 15)).toBe("HTTP/1.1 200 OK");
    second.socket.end();
  });

  it("waits a fifth as long for the heads of requests while half of the connections are taken", async () => {
    const server = createServer((_request, response) => response.end("ok"));
    limitConnections(server, {
      maxConnections: 4,
      maxPerAddress: 4,
      headTimeoutMs: 10_000,
      onRefused: undefined,
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const first = await opened(port);
    expect(server.headersTimeout).toBe(10_000);
    await opened(port);
    expect(server.headersTimeout).toBe(2_000);
    first.socket.end();
    await expect.poll(() => server.headersTimeout).toBe(10_000);
    server.closeAllConnections();
    server.close();
  });
});
