import { describe, expect, it } from "vitest";
import { type Client, createClient, createTransport, endpoints, type Timing } from "../src/index.ts";
import { rejection } from "./rejection.ts";
import { closedPort, hangUp, json, neverAnswer, startServer, type TestServer } from "./test-server.ts";
import { createTestTiming, TIMEOUT_MS } from "./test-timing.ts";

const apiKey = "cg_test_key";

function clientOf(server: TestServer, timing: Timing, retries = 2): Client {
  return createClient({ baseUrl: server.url, apiKey, timing, retries, timeoutMs: TIMEOUT_MS });
}

describe("an idempotent call", () => {
  it.each([408, 429, 500, 502, 503, 504])("is repeated after the status %i", async (status) => {
    const server = await startServer(json(status, {}), json(200, { ok: true }));
    const answer = await clientOf(server, createTestTiming()).send(endpoints.agentList);
    expect(answer.body).toEqual({ ok: true });
    expect(server.received).toHaveLength(2);
  });

  it("is repeated after a lost connection, with the same request", async () => {
    const server = await startServer(hangUp, json(200, {}));
    await clientOf(server, createTestTiming()).send(endpoints.agentEnsure, { body: { agent_name: "a" } });
    expect(server.received).toHaveLength(2);
    expect(server.received[1]?.body).toBe(server.received[0]?.body);
  });

  it("is repeated after a time-out", async () => {
    const timing = createTestTiming();
    const server = await startServer(
      neverAnswer(() => timing.expire()),
      json(200, {}),
    );
    await clientOf(server, timing).send(endpoints.agentList);
    expect(server.received).toHaveLength(2);
  });

  it.each([400, 401, 404, 409, 422])("is not repeated after the status %i", async (status) => {
    const server = await startServer(json(status, {}));
    expect(await rejection(clientOf(server, createTestTiming()).send(endpoints.agentList))).toMatchObject({
      status,
    });
    expect(server.received).toHaveLength(1);
  });

  it("is repeated no more than `retries` times", async () => {
    const server = await startServer(json(503, {}));
    const client = clientOf(server, createTestTiming());
    await rejection(client.send(endpoints.agentList));
    expect(server.received).toHaveLength(3);
    await rejection(client.send(endpoints.agentList, {}, { retries: 0 }));
    expect(server.received).toHaveLength(4);
  });

  it("waits longer each time, with full jitter, up to a ceiling", async () => {
    const server = await startServer(json(503, {}));
    const half = createTestTiming({ random: 0.5 });
    await rejection(clientOf(server, half, 7).send(endpoints.agentList));
    expect(half.pauses).toEqual([125, 250, 500, 1000, 2000, 2500, 2500]);
    const none = createTestTiming({ random: 0 });
    await rejection(clientOf(server, none, 2).send(endpoints.agentList));
    expect(none.pauses).toEqual([0, 0]);
  });

  it("waits as long as Retry-After asks", async () => {
    const server = await startServer(json(429, {}, { "retry-after": "3" }), json(200, {}));
    const timing = createTestTiming();
    await clientOf(server, timing).send(endpoints.agentList);
    expect(timing.pauses).toEqual([3000]);
  });

  it("leaves a Retry-After of more than ten seconds to the caller", async () => {
    const server = await startServer(json(429, {}, { "retry-after": "11" }));
    const error = await rejection(clientOf(server, createTestTiming()).send(endpoints.agentList));
    expect(error.retryAfterMs).toBe(11_000);
    expect(server.received).toHaveLength(1);
  });
});

describe("a call that is not idempotent", () => {
  const effects = Object.values(endpoints).filter((endpoint) => !endpoint.idempotent);
  const input = { params: { invoice_id: "i" }, body: {} };

  it.each(effects)("is never repeated once it may have arrived: $name", async (endpoint) => {
    const server = await startServer(json(503, {}, { "retry-after": "0" }), hangUp);
    const client = clientOf(server, createTestTiming());
    expect((await rejection(client.send(endpoint, input))).code).toBe("http");
    expect((await rejection(client.send(endpoint, input))).code).toBe("connection_lost");
    expect(server.received).toHaveLength(2);
  });

  it("is never repeated after a time-out", async () => {
    const timing = createTestTiming();
    const server = await startServer(neverAnswer(() => timing.expire()));
    const error = await rejection(clientOf(server, timing).send(endpoints.usageReport, input));
    expect(error.code).toBe("timeout");
    expect(server.received).toHaveLength(1);
  });

  it("is repeated when it was never sent, with the same Idempotency-Key", async () => {
    const server = await startServer(json(200, {}));
    const refused = `http://127.0.0.1:${await closedPort()}`;
    const keys: (string | null)[] = [];
    const transport = createTransport({
      baseUrl: server.url,
      apiKey,
      timing: createTestTiming(),
      timeoutMs: TIMEOUT_MS,
      fetch: (input, init) => {
        keys.push(new Headers(init?.headers).get("idempotency-key"));
        return keys.length === 1 ? fetch(refused, init) : fetch(input, init);
      },
    });
    expect((await transport.send(endpoints.usageReport, { body: {} })).status).toBe(200);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(server.received[0]?.headers["idempotency-key"]).toBe(keys[0]);
  });
});
