import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { CreditgateError, createTransport, endpoints, type Fetch, isCreditgateError } from "../src/index.ts";
import { afterHead, isPool } from "./platform.ts";
import { rejection } from "./rejection.ts";
import { selfSigned } from "./self-signed.ts";
import { breakOff, closedPort, hangUp, json, listen, neverAnswer, raw, startServer } from "./test-server.ts";
import { createTestTiming, TIMEOUT_MS } from "./test-timing.ts";

const apiKey = "cg_test_key";

/** The error of one attempt at this service. */
function failure(baseUrl: string, fetch?: Fetch) {
  const transport = createTransport({ baseUrl, apiKey, retries: 0, fetch, maxAnswerBytes: 1000 });
  return rejection(transport.send(endpoints.usageReport, { body: { agentId: "a" } }));
}

/** A fetch that fails as undici does, for causes that no socket of this machine can produce. */
function failingFetch(cause: unknown): Fetch {
  return () => Promise.reject(new TypeError("fetch failed", { cause }));
}

function networkError(code: string, more: object = {}): Error {
  return Object.assign(new Error(code), { code, ...more });
}

describe("CreditgateError not_sent", () => {
  it("is a connection that was refused", async () => {
    const error = await failure(`http://127.0.0.1:${await closedPort()}`);
    expect(error).toMatchObject({ code: "not_sent", retryable: true, status: undefined });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.message).toMatch(
      /^POST (http:\S+)\/api\/v2\/usage could not be sent: ECONNREFUSED; check the baseUrl \1, and that the service runs$/,
    );
  });

  it("is a name of several addresses that all refused", async () => {
    expect((await failure(`http://localhost:${await closedPort()}`)).code).toBe("not_sent");
  });

  it("is a certificate that nobody has signed", async () => {
    let requests = 0;
    const port = await listen(createTlsServer(selfSigned, () => requests++));
    expect((await failure(`https://127.0.0.1:${port}`)).code).toBe("not_sent");
    expect(requests).toBe(0);
  });

  it.each([
    "ENOTFOUND",
    "EAI_AGAIN",
    "UND_ERR_CONNECT_TIMEOUT",
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ])("is %s", async (code) => {
    expect((await failure("https://billing.example", failingFetch(networkError(code)))).code).toBe(
      "not_sent",
    );
  });

  it("is any error of the system call that connects", async () => {
    const cause = networkError("ETIMEDOUT", { syscall: "connect" });
    expect((await failure("https://billing.example", failingFetch(cause))).code).toBe("not_sent");
  });
});

describe("CreditgateError connection_lost", () => {
  it("is a connection closed before the answer", async () => {
    const server = await startServer(hangUp);
    expect(await failure(server.url)).toMatchObject({
      code: "connection_lost",
      retryable: true,
      status: undefined,
    });
    expect(server.received).toHaveLength(1);
  });

  it("is a connection reset before the answer", async () => {
    const server = await startServer((request) => request.socket.resetAndDestroy());
    expect((await failure(server.url)).code).toBe("connection_lost");
  });

  it("is a 2xx answer that breaks off, with its status", async () => {
    const server = await startServer(breakOff(202));
    expect(await failure(server.url)).toMatchObject({ code: "connection_lost", status: 202 });
  });

  it("is a chunked 2xx answer that breaks off, with its status", async () => {
    const server = await startServer((request, response) => {
      response.writeHead(200);
      response.write("{", () => request.socket.destroy());
    });
    expect(await failure(server.url)).toMatchObject({ code: "connection_lost", status: 200 });
  });

  it("is a connection closed after early hints, which are no answer", async () => {
    const server = await startServer((request, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" }, () => request.socket.end());
    });
    expect(await failure(server.url)).toMatchObject({ code: "connection_lost", status: undefined });
  });

  it("is an answer that is not HTTP", async () => {
    const port = await listen(
      createTcpServer((socket) => socket.on("data", () => socket.end("hello\r\n\r\n"))),
    );
    expect((await failure(`http://127.0.0.1:${port}`)).code).toBe("connection_lost");
  });

  it("is for fetch a connection closed within the TLS handshake, which cannot be told from one closed later", async () => {
    const port = await listen(createTcpServer((socket) => socket.once("data", () => socket.destroy())));
    const { code } = await failure(`https://127.0.0.1:${port}`);
    expect(code).toBe(isPool ? "not_sent" : "connection_lost");
  });

  it.each([
    ["an unknown code", networkError("ESOMETHING")],
    ["a reset", networkError("ECONNRESET")],
    ["a broken pipe", networkError("EPIPE")],
    ["undici's own word for a closed socket", networkError("UND_ERR_SOCKET")],
    [
      "addresses of which one was reached",
      Object.assign(new AggregateError([networkError("ECONNREFUSED"), networkError("EPIPE")]), {
        code: "ECONNREFUSED",
      }),
    ],
    ["no addresses at all", new AggregateError([])],
    ["no cause", undefined],
  ])("is %s", async (_, cause) => {
    expect((await failure("https://billing.example", failingFetch(cause))).code).toBe("connection_lost");
  });

  it("is a rejection that is no error", async () => {
    const error = await failure("https://billing.example", () => Promise.reject("gone"));
    expect(error).toMatchObject({ code: "connection_lost", cause: "gone" });
  });
});

describe("CreditgateError redirected", () => {
  it.each([301, 302, 303, 304, 307, 308])("is the status %i, which is not followed", async (status) => {
    const server = await startServer(raw(status, "", { location: "/elsewhere" }));
    expect(await failure(server.url)).toMatchObject({ code: "redirected", status, retryable: false });
    expect(server.received).toHaveLength(1);
  });

  it("is an opaque redirect, as browsers answer it", async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      ok: { value: false },
    });
    const error = await failure("https://billing.example", async () => opaque);
    expect(error).toMatchObject({ code: "redirected", status: undefined });
  });
});

describe("CreditgateError answer_too_large", () => {
  it("is a 2xx answer past maxAnswerBytes", async () => {
    const server = await startServer(raw(200, "x".repeat(1001)));
    expect(await failure(server.url)).toMatchObject({
      code: "answer_too_large",
      status: 200,
      retryable: false,
    });
  });

  it("does not wait for the end of an endless answer", async () => {
    const server = await startServer((_, response) => {
      const more = (): void =>
        void (response.write("x".repeat(500)) ? setImmediate(more) : response.once("drain", more));
      more();
    });
    expect((await failure(server.url)).code).toBe("answer_too_large");
  });

  it("is not an answer of exactly maxAnswerBytes", async () => {
    const server = await startServer(raw(200, `"${"x".repeat(998)}"`));
    const transport = createTransport({ baseUrl: server.url, apiKey, maxAnswerBytes: 1000 });
    expect((await transport.send(endpoints.agentList)).body).toBe("x".repeat(998));
  });
});

describe("CreditgateError http", () => {
  it.each([
    [400, false],
    [401, false],
    [402, false],
    [404, false],
    [408, true],
    [409, false],
    [422, false],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
  ])("is the status %i, retryable: %j", async (status, retryable) => {
    const server = await startServer(json(status, {}));
    expect(await failure(server.url)).toMatchObject({ code: "http", status, retryable });
  });

  it("holds the problem of the answer", async () => {
    const problem = {
      type: "about:blank",
      title: "No such customer",
      code: "customer_unknown",
      __proto__: null,
    };
    const server = await startServer(json(404, problem, { "content-type": "application/problem+json" }));
    expect((await failure(server.url)).problem).toMatchObject({
      title: "No such customer",
      code: "customer_unknown",
    });
  });

  it.each([
    ["HTML", raw(502, "<h1>Bad gateway</h1>")],
    ["a JSON array", json(502, [1])],
    ["nothing", raw(502, "")],
    ["more than maxAnswerBytes", json(502, { detail: "x".repeat(2000) })],
    ["a body that breaks off", breakOff(502)],
  ])("holds no problem if the answer is %s", async (_, answer) => {
    const server = await startServer(answer);
    expect(await failure(server.url)).toMatchObject({ code: "http", status: 502, problem: undefined });
  });

  it.each([
    ["7", 7000],
    ["0", 0],
    ["Thu, 01 Jan 1970 00:01:40 GMT", 90_000],
    ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    ["1.5", undefined],
  ])("reads the Retry-After %j", async (value, retryAfterMs) => {
    const server = await startServer(json(503, {}, { "retry-after": value }));
    const timing = createTestTiming({ now: 10_000 });
    const transport = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    const error = await rejection(transport.send(endpoints.usageReport, { body: {} }));
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  it("says which call of which service it was, without its parameters", async () => {
    const server = await startServer(json(404, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const error = await rejection(
      transport.send(endpoints.orderInvoices, { params: { order_id: "private" } }),
    );
    expect(error.message).toBe(`GET ${server.url}/api/v1/orders/{order_id}/invoices answered 404`);
  });

  it.each([
    [
      { title: "Not found", detail: 'indicator: expected one that exists, received "chatt"' },
      'indicator: expected one that exists, received "chatt"',
    ],
    [
      { detail: "body: does not fit", errors: [{ pointer: "/agentId", detail: "expected a string" }] },
      "body: does not fit: /agentId: expected a string",
    ],
    [
      {
        detail: "/agentId: expected a string",
        errors: [{ pointer: "/agentId", detail: "expected a string" }],
      },
      "/agentId: expected a string",
    ],
    [{ errors: [{ pointer: "/agentId" }] }, "/agentId: refused"],
    [{ title: "Not found" }, "Not found"],
    [{ message: "no such indicator" }, "no such indicator"],
    [{ error: "no such indicator" }, "no such indicator"],
    [{ error: { message: "no such indicator", code: 7 } }, "no such indicator"],
    [{ detail: "two\r\nlines \u001b[31mred\u2028and more" }, "two lines [31mred and more"],
  ])("says it in the service's own words: %j", async (problem, words) => {
    const server = await startServer(json(422, problem));
    expect((await failure(server.url)).message).toBe(
      `${words} (POST ${server.url}/api/v2/usage answered 422)`,
    );
  });

  it("cuts words that are long", async () => {
    const server = await startServer(json(422, { detail: "x".repeat(900) }));
    const { message } = await failure(server.url);
    expect(message).toContain(`${"x".repeat(300)}… (POST `);
    expect(message).not.toContain("x".repeat(301));
  });

  it.each([
    ["HTML", raw(404, "<h1>Not found</h1>")],
    ["nothing", raw(404, "")],
    ["a JSON array", json(404, [1])],
  ])("says of a 404 with %s that something other than the service answered", async (_, answer) => {
    const server = await startServer(answer);
    const error = await failure(`${server.url}/v3`);
    expect(error.problem).toBeUndefined();
    expect(error.message).toBe(
      `POST ${server.url}/v3/api/v2/usage answered 404 without JSON: something other than the service answered; check the baseUrl ${server.url}/v3`,
    );
  });
});

describe("CreditgateError timeout", () => {
  it("is an answer that does not come", async () => {
    const timing = createTestTiming();
    const server = await startServer(neverAnswer(() => timing.expire()));
    const transport = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    const error = await rejection(transport.send(endpoints.usageReport, { body: {} }));
    expect(error).toMatchObject({ code: "timeout", retryable: true, status: undefined });
    expect(error.message).toBe(`POST ${server.url}/api/v2/usage had no whole answer within 60000 ms`);
  });

  it("is a 2xx answer that does not end, with its status", async () => {
    const timing = createTestTiming();
    const server = await startServer((_, response) => {
      response.writeHead(200).write("{");
    });
    const transport = createTransport({ baseUrl: server.url, apiKey, timing, timeoutMs: TIMEOUT_MS });
    afterHead(() => timing.expire());
    const error = await rejection(transport.send(endpoints.usageReport, { body: {} }));
    expect(error).toMatchObject({ code: "timeout", status: 200 });
  });

  it("is for fetch a handshake that does not end, of which it does not tell that nothing was sent", async () => {
    const timing = createTestTiming();
    const server = createTcpServer((socket) => {
      socket.once("data", () => timing.expire());
      onTestFinished(() => void socket.destroy());
    });
    const port = await listen(server);
    const baseUrl = `https://127.0.0.1:${port}`;
    const transport = createTransport({ baseUrl, apiKey, timing, timeoutMs: TIMEOUT_MS, retries: 0 });
    const error = await rejection(transport.send(endpoints.usageReport, { body: {} }));
    expect(error.code).toBe(isPool ? "not_sent" : "timeout");
    if (isPool) expect(error.message).toContain("could not be sent: no connection within 60000 ms; check");
  });

  it("runs on the real clock too", async () => {
    const server = await startServer(neverAnswer(() => {}));
    const transport = createTransport({ baseUrl: server.url, apiKey, retries: 0 });
    const error = await rejection(transport.send(endpoints.agentList, {}, { timeoutMs: 20 }));
    expect(error.code).toBe("timeout");
  });
});

describe("isCreditgateError", () => {
  it("knows the error of another instance of this package, as a bundler makes them", () => {
    class CreditgateErrorElsewhere extends Error {
      override readonly name = "CreditgateError";
      readonly code = "timeout";
    }
    expect(isCreditgateError(new CreditgateErrorElsewhere())).toBe(true);
    expect(isCreditgateError(new CreditgateError("timeout", ""))).toBe(true);
  });

  it("takes no other error for one", () => {
    for (const error of [new Error("timeout"), { name: "CreditgateError", code: "timeout" }, undefined]) {
      expect(isCreditgateError(error)).toBe(false);
    }
  });
});
