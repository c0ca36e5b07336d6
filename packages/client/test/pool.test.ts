import { once, setMaxListeners } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTransport, endpoints, type Transport } from "../src/index.ts";
import { rejection } from "./rejection.ts";
import { json, listen, startServer } from "./test-server.ts";
import { createTestTiming, TIMEOUT_MS } from "./test-timing.ts";

const apiKey = "cg_test_key";
const mostConnections = 256;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function report(transport: Transport, signal?: AbortSignal): Promise<unknown> {
  return transport.send(endpoints.usageReport, { body: {} }, { retries: 0, signal });
}

/** A server that answers when it is told to, and tells of its connections. */
async function startHoldingServer() {
  const held: ServerResponse[] = [];
  const sockets: Socket[] = [];
  let onHeld: (() => void) | undefined;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      held.push(response);
      onHeld?.();
    });
  });
  server.on("connection", (socket) => sockets.push(socket));
  const port = await listen(server);
  onTestFinished(() => server.closeAllConnections());
  return {
    url: `http://127.0.0.1:${port}`,
    held,
    sockets,
    /** Resolves when it holds as many requests. */
    holds: (count: number) =>
      new Promise<void>((resolve) => {
        onHeld = () => held.length >= count && resolve();
        onHeld();
      }),
    answer() {
      for (const response of held.splice(0)) response.end("{}");
    },
  };
}

describe("the pool of a client on Node", () => {
  it("keeps a connection for the next call, also of another client", async () => {
    const server = await startHoldingServer();
    for (let call = 0; call < 10; call++) {
      const sent = report(createTransport({ baseUrl: server.url, apiKey }));
      await server.holds(1);
      server.answer();
      await sent;
    }
    // Undici waits for a turn of the event loop before it uses a connection again, and opens another meanwhile.
    expect(server.sockets.length).toBeLessThanOrEqual(2);
  });

  it("asks for an answer that is not encoded, from no cache, and says who asks", async () => {
    const server = await startServer(json(200, {}));
    await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.agentList);
    expect(server.received[0]?.headers).toMatchObject({
      "accept-encoding": "identity",
      "cache-control": "no-cache",
      "user-agent": "creditgate",
    });
  });

  it("sends by another connection what would go to one that the service has closed", async () => {
    const server = await startHoldingServer();
    const transport = createTransport({ baseUrl: server.url, apiKey });
    for (let call = 1; call <= 20; call++) {
      const sent = report(transport);
      await server.holds(1);
      server.answer();
      await sent;
      const [socket] = server.sockets.splice(0);
      if (socket === undefined) throw new Error("expected a connection of its own for each call");
      socket.destroy();
      await once(socket, "close");
    }
  });

  it("has so many connections at most, and sends what waits for one later", async () => {
    const server = await startHoldingServer();
    const transport = createTransport({ baseUrl: server.url, apiKey, timeoutMs: TIMEOUT_MS });
    const sent = Array.from({ length: mostConnections + 10 }, () => report(transport));
    await server.holds(mostConnections);
    expect(server.sockets).toHaveLength(mostConnections);
    server.answer();
    await server.holds(10);
    expect(server.sockets).toHaveLength(mostConnections);
    server.answer();
    await Promise.all(sent);
  });

  it("never sends what is given up before its turn, and says so", async () => {
    const server = await startHoldingServer();
    const timing = createTestTiming();
    const patient = createTransport({ baseUrl: server.url, apiKey });
    const hurried = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    const controller = new AbortController();
    const sent = Array.from({ length: mostConnections }, () => report(patient));
    const [late, left] = [rejection(report(hurried)), rejection(report(patient, controller.signal))];
    await server.holds(mostConnections);
    timing.expire();
    controller.abort();
    expect((await late).code).toBe("not_sent");
    expect((await left).code).toBe("aborted");
    server.answer();
    await Promise.all(sent);
    const next = report(patient);
    await server.holds(1);
    expect(server.held).toHaveLength(1);
    server.answer();
    await next;
  });

  it("forgets what is given up while it waits, however much it is", async () => {
    const server = await startHoldingServer();
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const sent = Array.from({ length: mostConnections }, () => report(transport));
    await server.holds(mostConnections);
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const giveUp = async (requests: number) => {
      const controller = new AbortController();
      // One listener for each.
      setMaxListeners(requests, controller.signal);
      const body = { agentId: "x".repeat(100_000) };
      const given = Array.from({ length: requests }, () =>
        rejection(transport.send(endpoints.usageReport, { body }, { signal: controller.signal })),
      );
      controller.abort();
      await Promise.all(given);
    };
    await giveUp(1);
    const before = heap();
    // 50 MB of bodies. What a weak reference has returned is kept for a turn.
    await giveUp(500);
    await expect.poll(() => heap() - before).toBeLessThan(10_000_000);
    server.answer();
    await Promise.all(sent);
  });

  it("keeps the connection that was about to carry what is given up", async () => {
    const server = await startHoldingServer();
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const first = report(transport);
    await server.holds(1);
    server.answer();
    await first;
    const controller = new AbortController();
    const given = rejection(report(transport, controller.signal));
    controller.abort();
    expect((await given).code).toBe("aborted");
    const next = report(transport);
    await server.holds(1);
    server.answer();
    await next;
    expect(server.sockets.map(({ destroyed }) => destroyed)).not.toContain(true);
  });

  it("heeds neither the global fetch nor the global dispatcher of undici", async () => {
    const server = await startServer(json(200, { ok: true }));
    const before = getGlobalDispatcher();
    const mock = new MockAgent();
    mock.disableNetConnect();
    setGlobalDispatcher(mock);
    onTestFinished(() => setGlobalDispatcher(before));
    vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed")));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { body } = await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.agentList);
    expect(body).toEqual({ ok: true });
  });
});
