import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type CallInput,
  type CallOptions,
  type ClientOptions,
  createTransport,
  type Endpoint,
  endpoints,
  parseGateIdentity,
} from "../src/index.ts";
import { isPool } from "./platform.ts";
import { rejection, thrown } from "./rejection.ts";
import { json, raw, startServer } from "./test-server.ts";
import { createTestTiming, TIMEOUT_MS } from "./test-timing.ts";

const apiKey = "cg_test_key";
const baseUrl = "https://billing.example";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe("createTransport", () => {
  it.each([
    ["https://billing.example", "https://billing.example"],
    ["https://billing.example/", "https://billing.example"],
    ["https://billing.example/tenant/a//", "https://billing.example/tenant/a"],
    ["http://localhost:4000", "http://localhost:4000"],
    ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
    ["http://127.1:4000", "http://127.0.0.1:4000"],
    ["http://[::1]:4000", "http://[::1]:4000"],
  ])("takes the baseUrl %s", (given, taken) => {
    expect(createTransport({ baseUrl: given, apiKey }).baseUrl).toBe(taken);
  });

  it.each([
    ["http://billing.example", "http to a host that is not this machine"],
    ["http://127.0.0.1.evil.example", "http to a host that is not this machine"],
    ["http://localhost.evil.example", "http to a host that is not this machine"],
    ["ftp://billing.example", "a ftp: URL"],
    ["https://user:secret@billing.example", "a URL with credentials"],
    ["https://billing.example?api_key=secret", "a URL with a query or a fragment"],
    ["https://billing.example/?", "a URL with a query or a fragment"],
    ["https://billing.example#secret", "a URL with a query or a fragment"],
    ["billing.example/secret", "a string that is no URL"],
    ["", "a string that is no URL"],
  ])("refuses the baseUrl %j", (given, received) => {
    const error = thrown(() => createTransport({ baseUrl: given, apiKey }));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toMatch(/^baseUrl: expected .*CREDITGATE_BASE_URL/);
    expect(error.message).toContain(`received ${received}`);
    expect(error.message).not.toContain("secret");
  });

  it("takes http to any host when told that the network is private", () => {
    const transport = createTransport({ baseUrl: "http://billing.internal", apiKey, allowInsecure: true });
    expect(transport.baseUrl).toBe("http://billing.internal");
  });

  it("falls back to CREDITGATE_BASE_URL and CREDITGATE_API_KEY", async () => {
    const server = await startServer(json(200, {}));
    vi.stubEnv("CREDITGATE_BASE_URL", server.url);
    vi.stubEnv("CREDITGATE_API_KEY", "from_the_environment");
    await createTransport().send(endpoints.agentList);
    expect(server.received[0]?.headers["service-api-key"]).toBe("from_the_environment");
  });

  it.each([undefined, ""])(
    "with %j in the environment fails at the first call, and names the fix",
    async (value) => {
      vi.stubEnv("CREDITGATE_BASE_URL", value);
      vi.stubEnv("CREDITGATE_API_KEY", value);
      for (const [options, message] of [
        [
          { apiKey },
          "baseUrl: expected the URL of the service, received none; set CREDITGATE_BASE_URL, or give createClient() the option baseUrl",
        ],
        [
          { baseUrl },
          "apiKey: expected the API key of the service, received none; set CREDITGATE_API_KEY, or give createClient() the option apiKey",
        ],
      ] as const) {
        const transport = createTransport(options);
        const expected = { code: "invalid_option", message };
        expect(await rejection(transport.send(endpoints.agentList))).toMatchObject(expected);
        expect(await rejection(transport.fingerprint())).toMatchObject(expected);
      }
    },
  );

  it("finds an environment that is set after it was created", async () => {
    const server = await startServer(json(200, {}));
    vi.stubEnv("CREDITGATE_BASE_URL", undefined);
    vi.stubEnv("CREDITGATE_API_KEY", undefined);
    const transport = createTransport();
    await rejection(transport.send(endpoints.agentList));
    vi.stubEnv("CREDITGATE_BASE_URL", server.url);
    vi.stubEnv("CREDITGATE_API_KEY", "late");
    await transport.send(endpoints.agentList);
    expect(server.received[0]?.headers["service-api-key"]).toBe("late");
    expect(transport.baseUrl).toBe(server.url);
  });

  it("refuses an environment that is malformed at once", () => {
    vi.stubEnv("CREDITGATE_BASE_URL", "billing.example");
    expect(thrown(() => createTransport({ apiKey })).message).toMatch(/^baseUrl: expected an https URL/);
  });

  it("refuses a name that is no option, and tells the nearest", () => {
    const misspelt: object = { baseUrl, apikey: "cg_test_key" };
    const error = thrown(() => createTransport(misspelt));
    expect(error).toMatchObject({
      code: "invalid_option",
      message: 'apikey: unknown option; did you mean "apiKey"?',
    });
  });

  it("names the Node that it needs where there is no Web Crypto", () => {
    vi.stubGlobal("crypto", undefined);
    const error = thrown(() => createTransport({ baseUrl, apiKey }));
    expect(error.message).toBe(
      "runtime: expected one with Web Crypto, such as Node 20.19 or newer, received undefined",
    );
  });

  it.each([
    ["timeoutMs", { timeoutMs: 0 }, "0"],
    ["timeoutMs", { timeoutMs: 2 ** 31 }, "2147483648"],
    ["timeoutMs", { timeoutMs: Number.NaN }, "NaN"],
    ["retries", { retries: -1 }, "-1"],
    ["retries", { retries: 1.5 }, "1.5"],
    ["maxAnswerBytes", { maxAnswerBytes: 0 }, "0"],
    ["maxAnswerBytes", { maxAnswerBytes: Number.MAX_VALUE }, "1.7976931348623157e"],
    ["header", { header: "two words" }, '"two words"'],
    ["header", { header: "x\r\ny" }, '"x\\r\\ny"'],
  ] satisfies [string, ClientOptions, string][])("refuses a malformed %s: %j", (name, options, received) => {
    const error = thrown(() => createTransport({ baseUrl, apiKey, ...options }));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toMatch(new RegExp(`^${name}: expected .+, received `));
    expect(error.message).toContain(`received ${received}`);
  });

  it.each(["", "line\r\nbreak", "a space", "schlüssel", "nul\0"])(
    "refuses the apiKey %j and does not tell it",
    (key) => {
      const error = thrown(() => createTransport({ baseUrl, apiKey: key }));
      expect(error.code).toBe("invalid_option");
      expect(error.message).toMatch(/^apiKey: expected visible ASCII/);
      if (key !== "") expect(error.message).not.toContain(key);
    },
  );

  it("leaves the caller's options as they are", () => {
    expect(() => createTransport(Object.freeze({ baseUrl, apiKey }))).not.toThrow();
  });
});

describe("Transport.fingerprint", () => {
  const transport = createTransport({ baseUrl: `${baseUrl}/`, apiKey });

  it("is the first half of SHA-256 over base URL and key", async () => {
    const hash = createHash("sha256").update(`${baseUrl}\n${apiKey}`).digest("hex");
    expect(await transport.fingerprint()).toBe(hash.slice(0, 32));
    expect(await transport.fingerprint()).toBe(hash.slice(0, 32));
  });

  it("differs for another key and for another service", async () => {
    const others = [
      createTransport({ baseUrl, apiKey: "another" }),
      createTransport({ baseUrl: `${baseUrl}/x`, apiKey }),
    ];
    const prints = await Promise.all([transport, ...others].map((each) => each.fingerprint()));
    expect(new Set(prints).size).toBe(3);
  });
});

describe("Transport.fingerprint of the organization", () => {
  /** A service that says whose key it has been asked with, as our control plane does. */
  const tells = (organization: string | undefined, status = 200): RequestListener => {
    return ({ headers }, response) => {
      const id = String(headers["creditgate-request-id"]);
      const told = organization === undefined ? {} : { "creditgate-organization": organization };
      response.writeHead(status, {
        "content-type": "application/json",
        "creditgate-request-id": id,
        ...told,
      });
      response.end("{}");
    };
  };
  const of = (options: ClientOptions) => createTransport(options).fingerprint("organization");

  it("is the same for all keys that the service says are of one, which is asked once", async () => {
    const server = await startServer(tells("7"));
    const transport = createTransport({ baseUrl: server.url, apiKey: "old" });
    const [old, again] = [
      await transport.fingerprint("organization"),
      await transport.fingerprint("organization"),
    ];
    expect(server.received).toHaveLength(1);
    expect(again).toBe(old);
    expect(await of({ baseUrl: server.url, apiKey: "new" })).toBe(old);
    expect(await transport.fingerprint()).not.toBe(old);
  });

  it("differs for another organisation, and for another service", async () => {
    const [server, other] = [await startServer(tells("7")), await startServer(tells("8"))];
    const prints = [
      await of({ baseUrl: server.url, apiKey }),
      await of({ baseUrl: other.url, apiKey }),
      await of({ baseUrl: server.url, apiKey, organization: "8" }),
      await of({ baseUrl, apiKey, organization: "8" }),
    ];
    expect(new Set(prints).size).toBe(4);
  });

  it("is that of the option, or of CREDITGATE_ORGANIZATION, and then no service is asked", async () => {
    const options = { baseUrl, apiKey, organization: "acme" };
    const named = await of(options);
    vi.stubEnv("CREDITGATE_ORGANIZATION", "acme");
    expect(await of({ baseUrl, apiKey: "another" })).toBe(named);
    expect(await of({ ...options, organization: "other" })).not.toBe(named);
  });

  it.each([
    ["says nothing", tells(undefined)],
    ["lists no agents", tells("7", 404)],
    ["answers out of a cache", json(200, {}, { "creditgate-organization": "7" })],
  ])("names the option where the service %s", async (_, handler) => {
    const server = await startServer(handler);
    expect(await rejection(of({ baseUrl: server.url, apiKey }))).toMatchObject({
      code: "invalid_option",
      message:
        "organization: expected the organisation of the API key, which the service does not report, received none; set CREDITGATE_ORGANIZATION, or give createClient() the option organization",
    });
  });

  it("rejects where the service is away, and is asked again", async () => {
    const server = await startServer(tells("7", 503));
    const transport = createTransport({ baseUrl: server.url, apiKey, retries: 0 });
    expect(await rejection(transport.fingerprint("organization"))).toMatchObject({ status: 503 });
    expect(await rejection(transport.fingerprint("organization"))).toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(2);
  });

  it.each(["", "two words", "schlüssel", "x".repeat(257)])("refuses the name %j", (organization) => {
    expect(thrown(() => createTransport({ baseUrl, apiKey, organization })).message).toMatch(
      /^organization: expected 1 to 256 visible ASCII characters/,
    );
  });
});

describe("Transport.send", () => {
  it("sends the key in its header, and asks for JSON", async () => {
    const server = await startServer(json(200, {}));
    await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.walletBalance, {
      query: { customer_id: "alice & bob/ü", page: 2, none: undefined },
    });
    const [request] = server.received;
    expect(request?.method).toBe("GET");
    expect(request?.url).toBe("/api/v1/wallet/balance?customer_id=alice+%26+bob%2F%C3%BC&page=2");
    expect(request?.headers).toMatchObject({ "service-api-key": apiKey, accept: "application/json" });
    expect(request?.headers["idempotency-key"]).toBeUndefined();
    expect(request?.headers["content-type"]).toBeUndefined();
  });

  it("sends the key in another header if told so", async () => {
    const server = await startServer(json(200, {}));
    await createTransport({ baseUrl: server.url, apiKey, header: "x-key" }).send(endpoints.agentList);
    expect(server.received[0]?.headers["x-key"]).toBe(apiKey);
    expect(server.received[0]?.headers["service-api-key"]).toBeUndefined();
  });

  it("keeps the path of the baseUrl", async () => {
    const server = await startServer(json(200, {}));
    await createTransport({ baseUrl: `${server.url}/tenant/a/`, apiKey }).send(endpoints.agentList);
    expect(server.received[0]?.url).toBe("/tenant/a/api/v1/agents");
  });

  it("sends a body as JSON, and none where there is none", async () => {
    const server = await startServer(json(200, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    await transport.send(endpoints.usageReport, { body: { agentId: "ü" } });
    await transport.send(endpoints.invoiceMarkPaid, { params: { invoice_id: "i" } });
    expect(server.received[0]).toMatchObject({ method: "POST", body: '{"agentId":"ü"}' });
    expect(server.received[0]?.headers["content-type"]).toBe("application/json");
    expect(server.received[1]).toMatchObject({ method: "POST", body: "" });
    expect(server.received[1]?.headers["content-type"]).toBeUndefined();
  });

  it.each([
    ["a/b", "a%2Fb"],
    ["a?b#c", "a%3Fb%23c"],
    ["../../v2/usage", "..%2F..%2Fv2%2Fusage"],
    ["%2e%2e", "%252e%252e"],
    ["a\r\nb", "a%0D%0Ab"],
    ["...", "..."],
    ["__proto__", "__proto__"],
    ["ü🙂", "%C3%BC%F0%9F%99%82"],
  ])("encodes the path parameter %j", async (order_id, encoded) => {
    const server = await startServer(json(200, {}));
    await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.orderInvoices, {
      params: { order_id },
    });
    expect(server.received[0]?.url).toBe(`/api/v1/orders/${encoded}/invoices`);
  });

  it.each([
    [{ params: { order_id: "" } }, "order_id"],
    [{ params: { order_id: "." } }, "order_id"],
    [{ params: { order_id: ".." } }, "order_id"],
    [{ params: { order_id: "\ud800" } }, "order_id"],
    [{ params: {} }, "order_id"],
    [{}, "order_id"],
    [{ params: { order_id: "o" }, query: { customer_id: "\udfff" } }, "customer_id"],
    [{ params: { order_id: "o" }, body: { tokens: 1n } }, "body"],
  ] satisfies [CallInput, string][])("refuses the input %o before anything is sent", async (input, field) => {
    const server = await startServer(json(200, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const error = await rejection(transport.send(endpoints.orderInvoices, input));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toMatch(new RegExp(`^orderInvoices: ${field}: expected `));
    expect(server.received).toEqual([]);
  });

  it.each([
    ["timeoutMs", { timeoutMs: -1 }],
    ["retries", { retries: 99 }],
    ["idempotencyKey", { idempotencyKey: "" }],
    ["idempotencyKey", { idempotencyKey: "a\r\nb" }],
    ["idempotencyKey", { idempotencyKey: "x".repeat(257) }],
  ])("refuses a malformed %s of one call", async (name, options) => {
    const transport = createTransport({ baseUrl, apiKey });
    const error = await rejection(transport.send(endpoints.usageReport, { body: {} }, options));
    expect(error).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(`^${name}: expected`),
    });
  });

  it.each(Object.values(endpoints).filter((endpoint) => endpoint.keyed))(
    "gives $name an Idempotency-Key, and tells whether it came back",
    async (endpoint: Endpoint) => {
      const server = await startServer(json(200, {}), json(200, {}, { "idempotency-key": "mine" }));
      const transport = createTransport({ baseUrl: server.url, apiKey });
      const first = await transport.send(endpoint, { body: {} });
      const second = await transport.send(endpoint, { body: {} }, { idempotencyKey: "mine" });
      expect(server.received[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(first.idempotencyKey).toBeUndefined();
      expect(server.received[1]?.headers["idempotency-key"]).toBe("mine");
      expect(second.idempotencyKey).toBe("mine");
    },
  );

  it.each([
    ["no body", raw(204, ""), 204],
    ["an empty body", raw(202, ""), 202],
    ["text", raw(200, "accepted", { "content-type": "text/plain" }), 200],
    ["half of a JSON text", raw(200, '{"a":', { "content-type": "application/json" }), 200],
  ])("answers %s with an undefined body", async (_, answer, status) => {
    const server = await startServer(answer);
    const transport = createTransport({ baseUrl: server.url, apiKey });
    expect(await transport.send(endpoints.usageReport, { body: {} })).toMatchObject({
      status,
      body: undefined,
    });
  });

  describe("fresh", () => {
    /** Echoes the id, and says what the caches on the way say. */
    const echoing =
      (headers: Record<string, string> = {}): RequestListener =>
      (request, response) => {
        response.setHeader("creditgate-request-id", `${request.headers["creditgate-request-id"]}`);
        response.writeHead(200, headers).end("{}");
      };
    const send = async (answer: RequestListener, fresh = true) => {
      const server = await startServer(answer);
      const transport = createTransport({ baseUrl: server.url, apiKey });
      const { isFresh } = await transport.send(endpoints.walletBalance, {}, { fresh });
      return { isFresh, sent: server.received[0]?.headers["creditgate-request-id"] };
    };

    it("sends an id, by whose echo the answer is known to be fresh", async () => {
      const [one, other] = [await send(echoing()), await send(echoing({ age: "0" }))];
      expect([one.isFresh, other.isFresh]).toEqual([true, true]);
      expect(one.sent).toMatch(/^[0-9a-f-]{36}$/);
      expect(one.sent).not.toBe(other.sent);
    });

    it("sends another id in each attempt", async () => {
      const server = await startServer(json(503, {}, { "retry-after": "0" }), echoing());
      const time = { timing: createTestTiming(), timeoutMs: TIMEOUT_MS };
      const transport = createTransport({ baseUrl: server.url, apiKey, ...time });
      expect((await transport.send(endpoints.walletBalance, {}, { fresh: true })).isFresh).toBe(true);
      const ids = server.received.map(({ headers }) => headers["creditgate-request-id"]);
      expect(new Set(ids).size).toBe(2);
    });

    it.each([
      ["no echo", json(200, {})],
      ["the echo of another request", json(200, {}, { "creditgate-request-id": "another" })],
      ["an age", echoing({ age: "1" })],
      ["an age that is no number", echoing({ age: "old" })],
      ["two ages", echoing({ age: "0, 5" })],
    ])("does not take an answer with %s for fresh", async (_, answer) => {
      expect((await send(answer)).isFresh).toBe(false);
    });

    it("left out sends no id", async () => {
      const { isFresh, sent } = await send(json(200, {}), false);
      expect({ isFresh, sent }).toEqual({ isFresh: false, sent: undefined });
    });
  });

  describe("the gate that asks", () => {
    const id = "4e0b7c1d-2f3a-4b5c-8d6e-7f8091a2b3c4";
    const send = async (options: CallOptions, headers: Record<string, string> = {}) => {
      const server = await startServer(json(200, {}, headers));
      const answer = await createTransport({ baseUrl: server.url, apiKey }).send(
        endpoints.walletBalance,
        {},
        options,
      );
      return { answer, sent: server.received[0]?.headers["creditgate-gate"] };
    };

    it("is named in a header that the service can parse", async () => {
      for (const ledger of ["memory", "shared", "guard"] as const) {
        const { sent } = await send({ gate: { id, ledger } });
        expect(sent).toBe(`${id}; ledger=${ledger}`);
        expect(parseGateIdentity(sent)).toEqual({ id, ledger });
      }
      expect((await send({})).sent).toBeUndefined();
    });

    it.each([
      undefined,
      "",
      id,
      `${id}; ledger=paper`,
      `${id}; ledger=memory; ledger=memory`,
      `${id}; ledger=memory\n`,
      "<b>; ledger=memory",
      `${id.toUpperCase()}; ledger=memory`,
      "x".repeat(100_000),
    ])("is none where the header is malformed: %#", (header) => {
      expect(parseGateIdentity(header)).toBeUndefined();
    });

    it.each([
      ["3", 3],
      ["guarded", "guarded"],
      ["0", undefined],
      ["-3", undefined],
      ["3 processes", undefined],
      ["99999999999", undefined],
      [undefined, undefined],
    ] as const)("learns of separate ledgers by the header %j", async (header, read) => {
      const headers = header === undefined ? {} : { "creditgate-separate-ledgers": header };
      expect((await send({}, headers)).answer.separateLedgers).toBe(read);
    });
  });

  it.each([
    ["500", 500],
    ["1", 1],
    ["0", undefined],
    ["-5", undefined],
    ["1e3", undefined],
    ["many", undefined],
  ])("reads the Creditgate-Usage-Batch %j", async (value, batchLimit) => {
    const server = await startServer(json(200, {}, { "creditgate-usage-batch": value }));
    const answer = await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.agentList);
    expect(answer.batchLimit).toBe(batchLimit);
  });

  it.each([
    ["cachedInputTokens,images", ["cachedInputTokens", "images"]],
    ["images, seconds", ["images", "seconds"]],
  ])("reads the Creditgate-Usage-Parts %j", async (value, parts) => {
    const server = await startServer(json(200, {}, { "creditgate-usage-parts": value }));
    const transport = createTransport({ baseUrl: server.url, apiKey });
    expect((await transport.send(endpoints.agentList)).usageParts).toEqual(new Set(parts));
    const silent = createTransport({ baseUrl: (await startServer(json(200, {}))).url, apiKey });
    expect((await silent.send(endpoints.agentList)).usageParts).toBeUndefined();
  });

  it("tells when the service answered, as each answer says it", async () => {
    const date = (second: number) => new Date(second * 1000).toUTCString();
    const server = await startServer(
      ...[1, 1, 2].map((second) => json(200, {}, { date: date(second) })),
      json(200, {}, { date: "soon" }),
    );
    const transport = createTransport({ baseUrl: server.url, apiKey });
    const dates: unknown[] = [];
    for (let call = 0; call < 4; call++) dates.push((await transport.send(endpoints.agentList)).date);
    expect(dates).toEqual([1000, 1000, 2000, undefined]);
  });

  it("asks no cache", async () => {
    let init: RequestInit | undefined;
    const transport = createTransport({
      baseUrl,
      apiKey,
      fetch: async (_, given) => {
        init = given;
        return Response.json({});
      },
    });
    await transport.send(endpoints.agentList);
    expect(init).toMatchObject({ cache: "no-store", redirect: "manual" });
  });

  it("calls the given fetch on no object, since browsers and workerd refuse that of theirs", async () => {
    const receivers: unknown[] = [];
    function fetch(this: unknown): Promise<Response> {
      receivers.push(this);
      return Promise.resolve(Response.json({}));
    }
    await createTransport({ baseUrl, apiKey, fetch }).send(endpoints.agentList);
    expect(receivers).toEqual([undefined]);
  });

  it("takes the platform's own fetch", async () => {
    const server = await startServer(json(200, {}));
    const transport = createTransport({ baseUrl: server.url, apiKey, fetch: globalThis.fetch });
    expect((await transport.send(endpoints.agentList)).status).toBe(200);
  });

  it("takes an answer that comes after early hints", async () => {
    const server = await startServer((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" }, () => response.end('{"ok":true}'));
    });
    const { body } = await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.agentList);
    expect(body).toEqual({ ok: true });
  });

  it("reads an answer that comes in parts, cut within a letter", async () => {
    const bytes = Buffer.from('"ü"');
    const server = await startServer((_, response) => {
      response.write(bytes.subarray(0, 2), () => setImmediate(() => response.end(bytes.subarray(2))));
    });
    const { body } = await createTransport({ baseUrl: server.url, apiKey }).send(endpoints.agentList);
    expect(body).toBe("ü");
  });

  // The pool calls no fetch.
  if (!isPool) {
    it("looks up the global fetch at each call", async () => {
      const transport = createTransport({ baseUrl, apiKey });
      vi.stubGlobal("fetch", async () => Response.json({ stubbed: true }));
      try {
        expect((await transport.send(endpoints.agentList)).body).toEqual({ stubbed: true });
      } finally {
        vi.unstubAllGlobals();
      }
    });
  }
});

describe("endpoints", () => {
  const all = Object.entries(endpoints);

  it("are sixteen and four of ours, each under its own name", () => {
    expect(all).toHaveLength(20);
    expect(all.map(([name]) => name)).toEqual(all.map(([, endpoint]) => endpoint.name));
    expect(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(20);
  });

  it("never count a call with an Idempotency-Key among those that are safe without", () => {
    expect(all.filter(([, { keyed, idempotent }]) => keyed && idempotent)).toEqual([]);
  });
});
