import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  agentEnsureRequest,
  agentListAnswer,
  agentListQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
  identifier,
  orderCreateRequest,
  usageBatchAnswer,
  usageBatchRequest,
  usageReportAnswer,
  usageReportRequest,
  voiceIndicatorRequest,
  voiceLlmRequest,
  voiceSessionRequest,
  voiceSttRequest,
  voiceTtsRequest,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "../src/index.ts";

const entry = {
  available: 10,
  pending: 0,
  overage_used: 0,
  overage_limit: 5,
  postpaid_used: 0,
  postpaid_limit: 0,
};

/** The fields a schema finds fault with. */
function faults(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map((issue) => issue.path.join(".")) ?? [];
}

describe("identifier", () => {
  it.each([
    "a",
    "__proto__",
    "constructor",
    " ",
    "Ünïcødé 🙂",
    "x".repeat(256),
    "é".repeat(128),
    "a/b?c#d",
    "...",
  ])("takes %j", (id) => expect(identifier.parse(id)).toBe(id));

  it.each([
    ["an empty one", ""],
    ["a step in a path", "."],
    ["a step back in a path", ".."],
    ["257 bytes", "x".repeat(257)],
    ["257 bytes in 129 characters", `${"é".repeat(128)}x`],
    ["10 kB", "x".repeat(10_240)],
    ["NUL", "a\0b"],
    ["CR LF", "a\r\nb"],
    ["DEL", "a\u007f"],
    ["a C1 control character", "a\u0085"],
    ["half a surrogate pair", "a\ud800"],
    ["a number", 7],
    ["null", null],
  ])("refuses %s", (_, id) => expect(identifier.safeParse(id).success).toBe(false));

  it("keeps case and Unicode form", () => {
    expect(identifier.parse("e\u0301A")).toBe("e\u0301A");
  });
});

describe("walletBalanceAnswer", () => {
  it("parses the documented answer", () => {
    const answer = walletBalanceAnswer.parse({ balances: { ai_credits: entry } });
    expect(answer.balances.ai_credits).toEqual(entry);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])(
    "takes the currency key %j for an ordinary one",
    (key) => {
      const { balances } = walletBalanceAnswer.parse(
        JSON.parse(`{"balances":{${JSON.stringify(key)}:${JSON.stringify(entry)}}}`),
      );
      expect(Object.keys(balances)).toEqual([key]);
      expect(balances[key]).toEqual(entry);
      expect(Object.hasOwn(Object.prototype, "available")).toBe(false);
    },
  );

  it.each(["constructor", "__proto__"])("inherits no wallet %j", (key) => {
    const { balances } = walletBalanceAnswer.parse({ balances: {} });
    expect(balances[key]).toBeUndefined();
  });

  it("takes a negative balance: debt", () => {
    const { balances } = walletBalanceAnswer.parse({ balances: { c: { ...entry, available: -3.5 } } });
    expect(balances.c?.available).toBe(-3.5);
  });

  it.each([
    ["a string", "10"],
    ["null", null],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
  ])("refuses %s for a number and names it", (_, available) => {
    expect(faults(walletBalanceAnswer, { balances: { c: { ...entry, available } } })).toEqual([
      "balances.c.available",
    ]);
  });

  it("refuses a number that JSON lets overflow", () => {
    const body = JSON.stringify({ balances: { c: entry } }).replace("10", "1e999");
    expect(faults(walletBalanceAnswer, JSON.parse(body))).toEqual(["balances.c.available"]);
  });

  it("keeps what a service tells", () => {
    const told = { ...entry, unsettled: 2.5, kind: "postpaid" };
    expect(walletBalanceAnswer.parse({ balances: { c: told } }).balances.c).toEqual(told);
  });

  it.each([
    ["unsettled", -1],
    ["unsettled", "1"],
    ["unsettled", null],
    ["unsettled", Number.NaN],
    ["kind", "free"],
    ["kind", null],
  ])("refuses %s %j", (field, value) => {
    expect(faults(walletBalanceAnswer, { balances: { c: { ...entry, [field]: value } } })).toEqual([
      `balances.c.${field}`,
    ]);
  });

  it("refuses an entry with a field missing", () => {
    const { postpaid_limit: _, ...rest } = entry;
    expect(faults(walletBalanceAnswer, { balances: { c: rest } })).toEqual(["balances.c.postpaid_limit"]);
  });

  it.each([undefined, null, "x", { balances: [] }, { balances: null }, {}])("refuses %j", (body) => {
    expect(walletBalanceAnswer.safeParse(body).success).toBe(false);
  });
});

describe("walletTopUpAnswer", () => {
  it("parses the documented answer", () => {
    const answer = {
      message: "done",
      results: [{ credit_currency_key: "c", success: true, available: 1.5, pending: 0 }],
    };
    expect(walletTopUpAnswer.parse(answer)).toEqual(answer);
  });
});

describe("usageReportAnswer", () => {
  it.each([{}, { id: "1", credits: 0.5, currency: "c" }, { credits: 0, currency: null }])(
    "takes %j",
    (body) => expect(usageReportAnswer.parse(body)).toEqual(body),
  );

  it.each([
    ["credits", -1],
    ["credits", "1"],
    ["currency", 1],
  ])("refuses %s %j", (field, value) =>
    expect(faults(usageReportAnswer, { [field]: value })).toEqual([field]),
  );
});

describe("usageBatchRequest", () => {
  const report = { key: "k", agentId: "chat", customerId: "alice", indicator: "message", rawUsage: {} };

  it.each([1, 500])("takes %i reports", (length) => {
    expect(usageBatchRequest.safeParse({ reports: Array.from({ length }, () => report) }).success).toBe(true);
  });

  it.each([0, 501])("refuses %i reports", (length) => {
    expect(faults(usageBatchRequest, { reports: Array.from({ length }, () => report) })).toEqual(["reports"]);
  });

  it.each(["", "a b", "ü", "x".repeat(256), undefined])("refuses the key %j", (key) => {
    expect(faults(usageBatchRequest, { reports: [{ ...report, key }] })).toEqual(["reports.0.key"]);
  });
});

describe("usageBatchAnswer", () => {
  it("keeps the body of each answer as it is", () => {
    const answer = { results: [{ key: "k", status: 202, body: { id: "1", credits: 1 } }] };
    expect(usageBatchAnswer.parse(answer)).toEqual(answer);
  });
});

const complete: readonly (readonly [
  string,
  z.ZodType,
  Readonly<Record<string, unknown>>,
  readonly string[],
])[] = [
  ["walletBalanceQuery", walletBalanceQuery, { customer_id: "alice" }, ["customer_id"]],
  [
    "walletTopUpRequest",
    walletTopUpRequest,
    { customer_id: "alice", top_ups: [{ credit_currency_key: "c", credits: 0.5 }] },
    ["customer_id", "top_ups"],
  ],
  [
    "usageReportRequest",
    usageReportRequest,
    {
      agentId: "chat",
      customerId: "alice",
      indicator: "message",
      rawUsage: { provider: "openai", model: "gpt-5", plan: "", inputTokens: 12, outputTokens: 0 },
    },
    ["agentId", "customerId", "indicator", "rawUsage"],
  ],
  [
    "customerCreateOrGetRequest",
    customerCreateOrGetRequest,
    { externalId: "alice", name: "Alice", email: "a@example.org", country: "DE", city: "Köln" },
    ["externalId", "name"],
  ],
  ["customerSubscriptionQuery", customerSubscriptionQuery, { agentId: "chat" }, []],
  [
    "orderCreateRequest",
    orderCreateRequest,
    {
      customerExternalId: "alice",
      orderName: "Pro",
      startDate: "2028-02-29",
      lineItems: [{ agentId: "chat" }],
    },
    ["customerExternalId", "orderName", "startDate", "lineItems"],
  ],
  ["agentListQuery", agentListQuery, { page: 2, limit: 50 }, []],
  [
    "agentEnsureRequest",
    agentEnsureRequest,
    { agent_name: "Chat", agent_external_id: "chat-1", agent_description: "two\nlines", agent_type: "voice" },
    ["agent_name", "agent_external_id"],
  ],
  [
    "voiceSessionRequest",
    voiceSessionRequest,
    { sessionId: "s", agentId: "v", customerId: "alice" },
    ["sessionId", "agentId", "customerId"],
  ],
  [
    "voiceSttRequest",
    voiceSttRequest,
    { sessionId: "s", audioMinutes: 1.25, provider: "p", model: "m", plan: "x" },
    ["sessionId", "audioMinutes"],
  ],
  [
    "voiceLlmRequest",
    voiceLlmRequest,
    {
      sessionId: "s",
      provider: "p",
      model: "m",
      plan: "x",
      promptTokens: 1,
      completionTokens: 2,
      cachedTokens: 0,
    },
    ["sessionId", "promptTokens", "completionTokens"],
  ],
  [
    "voiceTtsRequest",
    voiceTtsRequest,
    { sessionId: "s", provider: "p", model: "m", plan: "x", characters: 9 },
    ["sessionId", "characters"],
  ],
  [
    "voiceIndicatorRequest",
    voiceIndicatorRequest,
    { sessionId: "s", indicator: "call_completed", totalDuration: 3.5 },
    ["sessionId", "indicator", "totalDuration"],
  ],
];

describe.each(complete)("%s", (_, schema, request, mandatory) => {
  it("takes every documented field", () => {
    expect(schema.parse(request)).toEqual(request);
  });

  it("tolerates a field it does not know", () => {
    expect(schema.safeParse({ ...request, tomorrow: true }).success).toBe(true);
  });

  it("names each mandatory field that is missing, and only those", () => {
    expect(faults(schema, {})).toEqual(mandatory);
  });

  it("names each field of a wrong type", () => {
    const wrong = Object.fromEntries(Object.keys(request).map((name) => [name, true]));
    expect(faults(schema, wrong).sort()).toEqual(Object.keys(request).sort());
  });
});

describe("usageReportRequest", () => {
  const report = { agentId: "a", customerId: "c", indicator: "i" };

  it.each([-1, 1.5, 2 ** 53, Number.NaN, "12", null])("refuses %j input tokens", (inputTokens) => {
    expect(faults(usageReportRequest, { ...report, rawUsage: { inputTokens } })).toEqual([
      "rawUsage.inputTokens",
    ]);
  });

  it("takes usage that says nothing, and keeps what it does not know", () => {
    expect(usageReportRequest.parse({ ...report, rawUsage: {} }).rawUsage).toEqual({});
    expect(usageReportRequest.parse({ ...report, rawUsage: { cached: 3 } }).rawUsage).toEqual({ cached: 3 });
  });
});

describe("walletTopUpRequest", () => {
  it.each([0, -1, Number.POSITIVE_INFINITY])("refuses %j credits", (credits) => {
    const request = { customer_id: "alice", top_ups: [{ credit_currency_key: "c", credits }] };
    expect(faults(walletTopUpRequest, request)).toEqual(["top_ups.0.credits"]);
  });

  it("refuses an empty list", () => {
    expect(faults(walletTopUpRequest, { customer_id: "alice", top_ups: [] })).toEqual(["top_ups"]);
  });
});

describe("orderCreateRequest", () => {
  it.each(["2027-02-29", "2027-13-01", "2027-1-1", "01/02/2027", "2027-01-01T00:00:00Z", ""])(
    "refuses the start date %j",
    (startDate) => {
      const order = { customerExternalId: "a", orderName: "o", startDate, lineItems: [{ agentId: "x" }] };
      expect(faults(orderCreateRequest, order)).toEqual(["startDate"]);
    },
  );
});

describe("customerCreateOrGetRequest", () => {
  it.each(["de", "DEU", "", "D1"])("refuses the country %j", (country) => {
    expect(faults(customerCreateOrGetRequest, { externalId: "a", name: "A", country })).toEqual(["country"]);
  });
});

describe("agentListQuery", () => {
  it("takes the digits of a URL", () => {
    expect(agentListQuery.parse({ page: "2", limit: "50" })).toEqual({ page: 2, limit: 50 });
  });

  it.each(["0", "-1", "1.5", "1e3", "", " 1", "9".repeat(20), 0])("refuses the page %j", (page) => {
    expect(faults(agentListQuery, { page })).toEqual(["page"]);
  });
});

describe("agentListAnswer", () => {
  it("passes on what it does not know", () => {
    const answer = {
      agents: [{ agentId: "a", more: { deep: 1 } }],
      page: 1,
      limit: 20,
      total: 1,
      next: null,
    };
    expect(agentListAnswer.parse(answer)).toEqual(answer);
    expect(agentListAnswer.parse({ data: [] })).toEqual({ data: [] });
  });
});
