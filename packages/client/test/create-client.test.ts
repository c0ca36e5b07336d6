import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { type Client, createClient, type OpenRecord } from "../src/index.ts";
import { rejection } from "./rejection.ts";
import { json, raw, startServer, type TestServer } from "./test-server.ts";

function clientOf(server: TestServer): Client {
  return createClient({ baseUrl: server.url, apiKey: "cg_test_key", retries: 0 });
}

const entry = {
  available: 10,
  pending: 0,
  overage_used: 0,
  overage_limit: 5,
  postpaid_used: 0,
  postpaid_limit: 0,
};

const report = { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: { inputTokens: 1 } };
const record = { any: ["thing"] };

const calls: readonly [string, string, (client: Client) => Promise<unknown>, unknown, unknown?][] = [
  [
    "wallets.balance",
    "GET /api/v1/wallet/balance?customer_id=alice",
    (client) => client.wallets.balance("alice"),
    { balances: { ai_credits: entry } },
  ],
  [
    "wallets.topUp",
    "POST /api/v1/wallet/top-up",
    (client) =>
      client.wallets.topUp(
        { customer_id: "alice", top_ups: [{ credit_currency_key: "c", credits: 5 }] },
        { idempotencyKey: "p" },
      ),
    { message: "ok", results: [{ credit_currency_key: "c", success: true, available: 5, pending: 0 }] },
    { customer_id: "alice", top_ups: [{ credit_currency_key: "c", credits: 5 }] },
  ],
  [
    "customers.createOrGet",
    "POST /api/v1/customers/create-or-get",
    (client) => client.customers.createOrGet({ externalId: "alice", name: "Alice" }),
    record,
    { externalId: "alice", name: "Alice" },
  ],
  [
    "customers.subscription",
    "GET /api/v1/customers/by-external-id/al%2Fice/subscription?agentId=chat",
    (client) => client.customers.subscription("al/ice", { agentId: "chat" }),
    record,
  ],
  [
    "customers.subscription without an agent",
    "GET /api/v1/customers/by-external-id/alice/subscription",
    (client) => client.customers.subscription("alice"),
    record,
  ],
  [
    "customers.orders",
    "GET /api/v1/customers/by-external-id/alice/orders",
    (client) => client.customers.orders("alice"),
    [record],
  ],
  [
    "customers.orders, further on",
    "GET /api/v1/customers/by-external-id/alice/orders?limit=5&cursor=o-1",
    (client) => client.customers.orders("alice", { limit: 5, cursor: "o-1" }),
    [record],
  ],
  [
    "customers.invoices",
    "GET /api/v1/customers/by-external-id/alice/invoices?cursor=i-1",
    (client) => client.customers.invoices("alice", { cursor: "i-1" }),
    [record],
  ],
  [
    "orders.create",
    "POST /api/v1/orders",
    (client) =>
      client.orders.create({
        customerExternalId: "alice",
        orderName: "Pro",
        startDate: "2027-01-01",
        lineItems: [{ agentId: "chat" }],
      }),
    record,
    {
      customerExternalId: "alice",
      orderName: "Pro",
      startDate: "2027-01-01",
      lineItems: [{ agentId: "chat" }],
    },
  ],
  ["orders.invoices", "GET /api/v1/orders/o/invoices", (client) => client.orders.invoices("o"), [record]],
  [
    "orders.invoices, further on",
    "GET /api/v1/orders/o/invoices?limit=1&cursor=i-1",
    (client) => client.orders.invoices("o", { limit: 1, cursor: "i-1" }),
    [record],
  ],
  [
    "invoices.markPaid",
    "POST /api/v1/invoices/i/mark-paid",
    (client) => client.invoices.markPaid("i"),
    record,
  ],
  [
    "agents.list",
    "GET /api/v1/agents?page=2&limit=5",
    (client) => client.agents.list({ page: 2, limit: 5 }),
    { agents: [record], page: 2, limit: 5, total: 6, more: 1 },
  ],
  [
    "agents.ensure",
    "POST /api/v1/agents/ensure",
    (client) => client.agents.ensure({ agent_name: "Chat", agent_external_id: "c", agent_type: "voice" }),
    record,
    { agent_name: "Chat", agent_external_id: "c", agent_type: "voice" },
  ],
  [
    "voice.session",
    "POST /api/v1/voice/session",
    (client) => client.voice.session({ sessionId: "s", agentId: "v", customerId: "alice" }),
    record,
    { sessionId: "s", agentId: "v", customerId: "alice" },
  ],
  [
    "voice.stt",
    "POST /api/v1/voice/stt",
    (client) => client.voice.stt({ sessionId: "s", audioMinutes: 1.5, provider: "p" }),
    record,
    { sessionId: "s", audioMinutes: 1.5, provider: "p" },
  ],
  [
    "voice.llm",
    "POST /api/v1/voice/llm",
    (client) => client.voice.llm({ sessionId: "s", promptTokens: 1, completionTokens: 2, cachedTokens: 0 }),
    record,
    { sessionId: "s", promptTokens: 1, completionTokens: 2, cachedTokens: 0 },
  ],
  [
    "voice.tts",
    "POST /api/v1/voice/tts",
    (client) => client.voice.tts({ sessionId: "s", characters: 9 }),
    record,
    { sessionId: "s", characters: 9 },
  ],
  [
    "voice.indicator",
    "POST /api/v1/voice/indicator",
    (client) => client.voice.indicator({ sessionId: "s", indicator: "done", totalDuration: 2.5 }),
    record,
    { sessionId: "s", indicator: "done", totalDuration: 2.5 },
  ],
];

describe("createClient", () => {
  it.each(calls)("%s is %s", async (_, line, call, answer, body) => {
    const server = await startServer(json(200, answer));
    const isVoice = line.includes("/voice/");
    const receipt = { idempotencyKey: expect.any(String), echoed: false, body: answer };
    expect(await call(clientOf(server))).toEqual(isVoice ? receipt : answer);
    const [request] = server.received;
    expect(`${request?.method} ${request?.url}`).toBe(line);
    expect(request?.body).toBe(body === undefined ? "" : JSON.stringify(body));
  });

  const misuse: readonly [string, (client: Client) => Promise<unknown>][] = [
    ["walletBalance: customer_id", (client) => client.wallets.balance("")],
    [
      "walletTopUp: top_ups",
      (client) => client.wallets.topUp({ customer_id: "alice", top_ups: [] }, { idempotencyKey: "p" }),
    ],
    [
      "usageReport: rawUsage.inputTokens",
      (client) => client.usage.report({ ...report, rawUsage: { inputTokens: -1 } }),
    ],
    ["customerOrders: external_id", (client) => client.customers.orders("a\r\nb")],
    ["customerSubscription: agentId", (client) => client.customers.subscription("a", { agentId: "" })],
    ["orderInvoices: order_id", (client) => client.orders.invoices("..")],
    ["invoiceMarkPaid: invoice_id", (client) => client.invoices.markPaid("x".repeat(257))],
    ["agentList: page", (client) => client.agents.list({ page: 0 })],
    ["voiceTts: characters", (client) => client.voice.tts({ sessionId: "s", characters: 0.5 })],
  ];

  it.each(misuse)("refuses input that does not fit, by name: %s", async (field, call) => {
    const server = await startServer(json(200, {}));
    const error = await rejection(call(clientOf(server)));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toContain(`${field}: `);
    expect(server.received).toEqual([]);
  });

  it.each([
    ["no JSON", raw(200, "<h1>Welcome to the hotel</h1>")],
    ["another shape", json(200, { balances: { c: { ...entry, available: "10" } } })],
    ["no object", json(200, null)],
  ])("answers %s with answer_invalid", async (_, answer) => {
    const error = await rejection(clientOf(await startServer(answer)).wallets.balance("alice"));
    expect(error).toMatchObject({ code: "answer_invalid", status: 200, retryable: false });
    expect(error.message).toMatch(
      /^GET \/api\/v1\/wallet\/balance answered 200 with a body that does not fit: /,
    );
  });

  it("quotes a key of the answer, so that no log line breaks", async () => {
    const server = await startServer(json(200, { balances: { "a\nb": 1 } }));
    const error = await rejection(clientOf(server).wallets.balance("alice"));
    expect(error.message).toContain("balances.a\\nb: ");
  });
});

describe("Client", () => {
  it("can be built, spread and shown without an environment", () => {
    vi.stubEnv("CREDITGATE_BASE_URL", undefined);
    vi.stubEnv("CREDITGATE_API_KEY", undefined);
    expect(() => inspect(createClient())).not.toThrow();
    vi.unstubAllEnvs();
  });
});

describe("Client.wallets.topUp", () => {
  const results = [
    { credit_currency_key: "ai_credits", success: true, available: 5, pending: 0 },
    { credit_currency_key: "voice_credits", success: false, available: 0, pending: 0 },
    {
      credit_currency_key: "gpu_credits",
      success: false,
      available: 0,
      pending: 0,
      reason: "it is\npostpaid",
    },
  ];
  const top_ups = results.map(({ credit_currency_key }) => ({ credit_currency_key, credits: 5 }));

  it("throws what the service refuses, by currency and reason, and gives the whole answer", async () => {
    const server = await startServer(json(200, { message: "1 of 3", results }));
    const error = await rejection(
      clientOf(server).wallets.topUp({ customer_id: "alice", top_ups }, { idempotencyKey: "p" }),
    );
    expect(error).toMatchObject({
      code: "refused",
      status: 200,
      retryable: false,
      message:
        'walletTopUp: 2 of 3 wallets were not topped up: "voice_credits": the customer has no wallet in this currency, or it is postpaid; "gpu_credits": it is postpaid',
      problem: { message: "1 of 3", results },
    });
  });

  it("names a few of many", async () => {
    const refused = { credit_currency_key: "c".repeat(500), success: false, available: 0, pending: 0 };
    const server = await startServer(json(200, { message: "", results: Array(100).fill(refused) }));
    const error = await rejection(
      clientOf(server).wallets.topUp({ customer_id: "alice", top_ups }, { idempotencyKey: "p" }),
    );
    expect(error.message.length).toBeLessThan(2_000);
  });
});

describe("Client.wallets.topUp, told twice", () => {
  const payment = { customer_id: "alice", top_ups: [{ credit_currency_key: "c", credits: 5 }] };
  // A program without types can say all of these.
  const options: readonly [string, unknown, RegExp][] = [
    ["no options", undefined, /^walletTopUp: idempotencyKey: expected .* received undefined; give the id of/],
    ["no key", {}, /idempotencyKey: expected .* received undefined/],
    [
      "a key that is undefined",
      { idempotencyKey: undefined },
      /idempotencyKey: expected .* received undefined/,
    ],
    [
      "a misspelt key",
      { idempotencykey: "p1" },
      /idempotencykey: unknown option; did you mean "idempotencyKey"\?$/,
    ],
    ["a misspelt key that is undefined", { idempotencykey: undefined }, /did you mean "idempotencyKey"\?$/],
  ];

  it.each(options)("refuses %s before anything is sent", async (_, given, message) => {
    const server = await startServer(json(200, { message: "", results: [] }));
    const { topUp } = clientOf(server).wallets;
    const error = await rejection(Reflect.apply(topUp, undefined, [payment, given]));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toMatch(message);
    expect(server.received).toEqual([]);
  });
});

describe("the options of a call", () => {
  it.each([
    [
      "a name that is not known",
      { timeout: 1 },
      'walletBalance: timeout: unknown option; did you mean "timeoutMs"?',
    ],
    ["a key that is undefined", { idempotencyKey: undefined }, "walletBalance: idempotencyKey: expected"],
  ])("are refused with %s", async (_, options, message) => {
    const server = await startServer(json(200, { balances: {} }));
    const { balance } = clientOf(server).wallets;
    const error = await rejection(Reflect.apply(balance, undefined, ["alice", options]));
    expect(error.message).toContain(message);
    expect(server.received).toEqual([]);
  });

  it("may have a signal that is undefined", async () => {
    const server = await startServer(json(200, { balances: {} }));
    await clientOf(server).wallets.balance("alice", { signal: undefined });
    expect(server.received).toHaveLength(1);
  });
});

describe("Client.usage.report", () => {
  it.each([
    [
      { prompt_tokens: 10 },
      'usageReport: rawUsage.prompt_tokens: unknown field; did you mean "inputTokens"?',
    ],
    [{ inputTokens: 1, outputTokns: 1 }, 'rawUsage.outputTokns: unknown field; did you mean "outputTokens"?'],
    [
      { totalTokens: 3 },
      "rawUsage.totalTokens: unknown field; expected one of provider, model, plan, inputTokens, outputTokens",
    ],
  ])("refuses a field of the usage that it does not know: %j", async (rawUsage: object, message) => {
    const server = await startServer(json(202, {}));
    const error = await rejection(clientOf(server).usage.report({ ...report, rawUsage }));
    expect(error.message).toContain(message);
    expect(server.received).toEqual([]);
  });

  it("sends the counts of the AI SDK's usage, and not what is beside them", async () => {
    const server = await startServer(json(202, {}));
    const rawUsage = { inputTokens: 3, outputTokens: 4, totalTokens: 7, outputTokenDetails: {}, raw: {} };
    await clientOf(server).usage.report({ ...report, rawUsage });
    expect(JSON.parse(server.received[0]?.body ?? "").rawUsage).toEqual({ inputTokens: 3, outputTokens: 4 });
  });

  it("refuses a key that is undefined, or misspelt", async () => {
    const server = await startServer(json(202, {}));
    const send = (options: unknown) =>
      rejection(Reflect.apply(clientOf(server).usage.report, undefined, [report, options]));
    expect((await send({ idempotencyKey: undefined })).message).toContain("usageReport: idempotencyKey: ");
    expect((await send({ idempotencykey: "a" })).message).toContain('did you mean "idempotencyKey"?');
    expect(server.received).toEqual([]);
  });

  it("tells the key it has sent, and that the service honours keys", async () => {
    const server = await startServer((request, response) => {
      response.setHeader("idempotency-key", `${request.headers["idempotency-key"]}`);
      response.writeHead(202).end('{"accepted":true}');
    });
    const receipt = await clientOf(server).usage.report(report);
    const sent = server.received[0]?.headers["idempotency-key"];
    expect(receipt).toEqual({ idempotencyKey: sent, echoed: true, body: { accepted: true } });
    expect(sent).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("takes the caller's key, and tells a service that does not echo it", async () => {
    const server = await startServer(raw(204, ""));
    const receipt = await clientOf(server).usage.report(report, { idempotencyKey: "mine" });
    expect(receipt).toEqual({ idempotencyKey: "mine", echoed: false, body: undefined });
  });

  it("does not take another key for an echo", async () => {
    const server = await startServer(json(200, {}, { "idempotency-key": "yours" }));
    expect((await clientOf(server).usage.report(report)).echoed).toBe(false);
  });
});

describe("Client.voice", () => {
  it("tells the key that was sent, and whether the service honours keys", async () => {
    const server = await startServer(json(202, { status: "accepted" }, { "idempotency-key": "mine" }));
    const { voice } = clientOf(server);
    const body = { status: "accepted" };
    expect(await voice.tts({ sessionId: "s", characters: 9 }, { idempotencyKey: "mine" })).toEqual({
      idempotencyKey: "mine",
      echoed: true,
      body,
    });
    expect(await voice.tts({ sessionId: "s", characters: 9 })).toMatchObject({ echoed: false, body });
  });
});

describe("Client.agents.all", () => {
  const agents = ["a", "b", "c", "d", "e"].map((agentId) => ({ agentId }));

  /** A service with five agents. */
  function pages(limitOf: (asked: number) => number, stated: boolean): Promise<TestServer> {
    return startServer((request, response) => {
      const query = new URL(request.url ?? "", "http://localhost").searchParams;
      const page = Number(query.get("page"));
      const limit = limitOf(Number(query.get("limit") ?? 2));
      const body = {
        agents: agents.slice((page - 1) * limit, page * limit),
        ...(stated ? { page, limit } : {}),
      };
      response.end(JSON.stringify(body));
    });
  }

  async function collect(all: AsyncIterable<OpenRecord>): Promise<OpenRecord[]> {
    const found: OpenRecord[] = [];
    for await (const agent of all) found.push(agent);
    return found;
  }

  it("ends at a short page", async () => {
    const server = await pages((asked) => asked, true);
    expect(await collect(clientOf(server).agents.all())).toEqual(agents);
    expect(server.received.map(({ url }) => url)).toEqual(
      [1, 2, 3].map((page) => `/api/v1/agents?page=${page}`),
    );
  });

  it("goes on where the service lowers the limit, with or without saying so", async () => {
    for (const stated of [true, false]) {
      const server = await pages(() => 1, stated);
      expect(await collect(clientOf(server).agents.all({ limit: 4 }))).toEqual(agents);
      expect(server.received).toHaveLength(6);
    }
  });

  it("ends where the service answers every page with the same list", async () => {
    const server = await startServer(json(200, { agents, limit: 5 }));
    expect(await collect(clientOf(server).agents.all())).toEqual(agents);
    expect(server.received).toHaveLength(2);
  });

  it("finds nothing where there is nothing", async () => {
    expect(await collect(clientOf(await startServer(json(200, { agents: [] }))).agents.all())).toEqual([]);
  });

  it("fetches no page before it is needed", async () => {
    const server = await pages((asked) => asked, true);
    for await (const agent of clientOf(server).agents.all()) {
      expect(agent).toEqual({ agentId: "a" });
      break;
    }
    expect(server.received).toHaveLength(1);
  });

  it("fails at a page without agents", async () => {
    const server = await startServer(json(200, { data: [] }));
    const error = await rejection(collect(clientOf(server).agents.all()));
    expect(error).toMatchObject({ code: "answer_invalid" });
  });
});
