import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
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
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  let received = "";
  socket.setEncoding("latin1").on("data", (data) => {
    received += data;
  });
  return { socket, ended: once(socket, "close").then(() => received) };
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
    const [first, second] = [open(port), open(port)];
    for (const { socket } of [first, second]) {
      socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await once(socket, "data");
    }
    expect(await open(port).ended).toBe("");
    first.socket.end();
    await first.ended;
    const asked = async () => {
      const { socket, ended } = open(port);
      socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      return (await ended).slice(0, 15);
    };
    await expect.poll(asked).toBe("HTTP/1.1 200 OK");
  });
});
