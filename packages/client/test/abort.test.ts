import { getEventListeners, once } from "node:events";
import { describe, expect, it } from "vitest";
import { createTransport, endpoints } from "../src/index.ts";
import { afterHead } from "./platform.ts";
import { rejection } from "./rejection.ts";
import { breakOff, hangUp, json, neverAnswer, raw, startServer } from "./test-server.ts";
import { createTestTiming, TIMEOUT_MS } from "./test-timing.ts";

const apiKey = "cg_test_key";
const reason = new Error("the user has left");

describe("CallOptions.signal", () => {
  it("that has fired before: nothing is sent", async () => {
    const server = await startServer(json(200, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const error = await rejection(
      transport.send(endpoints.agentList, {}, { signal: AbortSignal.abort(reason) }),
    );
    expect(error).toMatchObject({ code: "aborted", cause: reason, retryable: false });
    expect(server.received).toEqual([]);
  });

  it("that fires before the answer ends the call, without a repetition", async () => {
    const controller = new AbortController();
    const server = await startServer(neverAnswer(() => controller.abort(reason)));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const error = await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "aborted", cause: reason, status: undefined });
    expect(server.received).toHaveLength(1);
  });

  it("that fires before the answer closes the connection, so that the service can stop its work", async () => {
    const controller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const server = await startServer((request) => {
      closed = once(request.socket, "close");
      controller.abort(reason);
    });
    const transport = createTransport({ baseUrl: server.url, apiKey });
    await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
    await closed;
  });

  it.each([200, 503])(
    "that fires within the body of a %i ends the call and tells the status",
    async (status) => {
      const controller = new AbortController();
      const server = await startServer((_, response) => {
        response.writeHead(status).write("{");
      });
      const transport = createTransport({ baseUrl: server.url, apiKey });
      afterHead(() => controller.abort(reason));
      const error = await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
      expect(error).toMatchObject({ code: "aborted", cause: reason, status });
    },
  );

  it("that fires in the pause before a repetition ends the call", async () => {
    const controller = new AbortController();
    const timing = createTestTiming({ onPause: () => controller.abort(reason) });
    const server = await startServer(json(503, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    const error = await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "aborted", cause: reason });
    expect(server.received).toHaveLength(1);
    expect(timing.active()).toBe(0);
  });

  it("that fires after the time-out does not hide it", async () => {
    const controller = new AbortController();
    const timing = createTestTiming();
    const server = await startServer(
      neverAnswer(() => {
        timing.expire();
        controller.abort(reason);
      }),
    );
    const transport = createTransport({
      baseUrl: server.url,
      apiKey,
      timing,
      timeoutMs: TIMEOUT_MS,
      retries: 0,
    });
    const error = await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
    expect(error.code).toBe("timeout");
  });

  it.each([
    ["an answer", json(200, {})],
    ["an error", json(404, {})],
    ["repetitions", json(503, {})],
    ["a redirect", raw(302, "", { location: "/" })],
    ["too large an answer", raw(200, "x".repeat(2000))],
    ["a lost connection", hangUp],
    ["a truncated answer", breakOff(200)],
  ])("is left without a listener, and no timer runs, after %s", async (_, answer) => {
    const server = await startServer(answer);
    const timing = createTestTiming();
    const { signal } = new AbortController();
    const options = { baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS, maxAnswerBytes: 1000 };
    await createTransport(options)
      .send(endpoints.agentList, {}, { signal })
      .catch(() => {});
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(timing.active()).toBe(0);
  });

  it("is left without a listener after it has fired", async () => {
    const controller = new AbortController();
    const timing = createTestTiming();
    const server = await startServer(neverAnswer(() => controller.abort(reason)));
    const transport = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    await rejection(transport.send(endpoints.agentList, {}, { signal: controller.signal }));
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(timing.active()).toBe(0);
  });
});
