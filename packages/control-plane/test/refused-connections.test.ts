import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";

let database: TestDatabase;
let server: RunningServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop();
  await database.drop();
});

/** A connection from an address of this machine, and whether the server answers on it. */
function ready(port: number, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write("GET /ready HTTP/1.1\r\nhost: x\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true)).once("close", () => resolve(false));
  });
}

async function start(trustedProxies: number) {
  const notices: string[] = [];
  database = await createMigratedDatabase();
  const clock = { time: Date.now(), now: () => clock.time };
  server = await startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    metricsPort: 0,
    maxClients: 4,
    trustedProxies,
    clock,
    onNotice: (line) => notices.push(line),
  });
  return { port: Number(new URL(server.url).port), metricsUrl: server.metricsUrl, notices, clock };
}

it("an address gets half of the clients: others are answered, it is told of once, and counted", async () => {
  const { port, metricsUrl, notices, clock } = await start(0);
  const flood = () => Promise.all(Array.from({ length: 4 }, () => ready(port, "127.0.0.1")));
  expect((await flood()).filter(Boolean)).toHaveLength(2);
  expect(await ready(port, "127.0.0.2")).toBe(true);
  expect(await flood()).toEqual([false, false, false, false]);
  const told =
    "connections: some are refused: 127.0.0.1 has half of --max-clients, and the others need the rest. If it is a proxy, set --trusted-proxies.";
  expect(notices).toEqual([told]);
  clock.time += 60_001;
  expect(await ready(port, "127.0.0.1")).toBe(false);
  expect(notices).toEqual([told, told]);
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(metrics).toContain('\ncreditgate_connections_refused_total{reason="address"} 7\n');
});

it("all connections of a trusted proxy count together, and /ready is on the metrics port as well", async () => {
  const { port, metricsUrl, notices } = await start(1);
  const all = await Promise.all(Array.from({ length: 4 }, () => ready(port, "127.0.0.1")));
  expect(all).toEqual([true, true, true, true]);
  expect(await ready(port, "127.0.0.1")).toBe(false);
  expect(notices).toEqual([
    "connections: some are refused: there are as many as --max-clients allows; the last came from 127.0.0.1.",
  ]);
  expect((await fetch(`${metricsUrl}/ready`)).status).toBe(200);
});
