import { readFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { listedPrices, type ModelUsage } from "@creditgate/ai";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import OpenAI from "openai6";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Provider } from "../../../packages/ai/test/provider.ts";
import { blocksOf, emitted, formats, pieces } from "../../../packages/ai/test/wire-format.ts";
import { gateways, type RunningGateway } from "./gateways.ts";

const provider = new Provider();
const fixture = JSON.parse(await readFile(new URL("../fixture.json", import.meta.url), "utf8"));
const prices = listedPrices(fixture.agents[0].indicators[0]);
const text = pieces.join("");
const funds = 100;
const maxOutputTokens = 1_000;
const patience = { timeout: 30_000, interval: 20 };

let plane: TestControlPlane;
beforeAll(async () => {
  await provider.start();
  const wallets = [{ currency: "ai_credits", kind: "prepaid", available: funds }];
  const customers = Array.from({ length: 160 }, (_, at) => ({
    externalId: `c${at}`,
    name: `c${at}`,
    wallets,
  }));
  const broke = gateways.map(({ runtime }) => ({
    externalId: `broke-${runtime}`,
    name: "Broke",
    wallets: [{ ...wallets[0], available: 0.5 }],
  }));
  plane = await startControlPlane({ fixture: { ...fixture, customers: [...customers, ...broke] } });
});
afterAll(async () => {
  await plane?.stop();
  await provider.stop();
});
beforeEach(() => provider.reset());

let customers = 0;

describe.each(gateways)("the gateway in $runtime", ({ runtime, start }) => {
  const broke = `broke-${runtime}`;
  let gateway: RunningGateway;
  beforeAll(async () => {
    const ids = [...Array.from({ length: 160 }, (_, at) => `c${at}`), broke];
    gateway = await start({
      CREDITGATE_BASE_URL: plane.baseUrl,
      CREDITGATE_API_KEY: plane.apiKey,
      CUSTOMER_TOKENS: JSON.stringify(Object.fromEntries(ids.map((id) => [`token-${id}`, id]))),
      OPENAI_API_KEY: "sk-of-the-gateway",
      OPENAI_BASE_URL: `${provider.url}/v1`,
      ANTHROPIC_API_KEY: "sk-ant-of-the-gateway",
      ANTHROPIC_BASE_URL: provider.url,
      MAX_OUTPUT_TOKENS: `${maxOutputTokens}`,
    });
  });
  afterAll(() => gateway?.stop());

  /** The unmodified clients of a customer, which count their requests. */
  function clients(customer = `c${customers++}`) {
    let requests = 0;
    const counting: typeof fetch = (input, init) => {
      requests++;
      return fetch(input, init);
    };
    const apiKey = `token-${customer}`;
    return {
      customer,
      apiKey,
      requests: () => requests,
      openai: new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, fetch: counting }),
      anthropic: new Anthropic({ apiKey, baseURL: gateway.url, fetch: counting }),
    };
  }

  /** What the wallet has paid, exact to a micro-credit. */
  async function paidBy(customer: string): Promise<number> {
    const { available = 0 } = (await plane.balance(customer)).ai_credits ?? {};
    return Math.round((funds - available) * 1e6) / 1e6;
  }

  /** Resolves when the wallet has paid for as much. */
  async function billed(customer: string, usage: ModelUsage): Promise<void> {
    const cost = prices(usage);
    expect(cost).toBeGreaterThan(0);
    await vi.waitUntil(async () => (await paidBy(customer)) === cost, patience);
  }

  const gpt = { provider: "openai", model: "gpt-5" };
  const claude = { provider: "anthropic", model: "claude-opus-4-5" };
  const ask = [{ role: "user" as const, content: "What is a wallet?" }];
  const chat = { model: "gpt-5", messages: ask };
  const message = { model: "claude-opus-4-5", messages: ask, max_tokens: 100 };

  describe("with the unmodified client of OpenAI", () => {
    it("answers a chat completion, and bills what the model says it used", async () => {
      const { openai, customer } = clients();
      const { choices } = await openai.chat.completions.create(chat);
      expect(choices[0]?.message.content).toBe(text);
      expect(provider.requests[0]?.body).toEqual({ ...chat, max_completion_tokens: maxOutputTokens });
      await billed(customer, { ...gpt, ...emitted });
    });

    it("streams a chat completion, with its usage only where it was asked for", async () => {
      const { openai, customer } = clients();
      for (const stream_options of [undefined, { include_usage: true }]) {
        let read = "";
        const usages: unknown[] = [];
        const stream = await openai.chat.completions.create({
          ...chat,
          stream: true,
          ...(stream_options && { stream_options }),
        });
        for await (const { choices, usage } of stream) {
          read += choices[0]?.delta.content ?? "";
          if (usage) usages.push(usage.total_tokens);
        }
        expect(read).toBe(text);
        expect(usages).toEqual(stream_options === undefined ? [] : [120]);
      }
      await billed(customer, { ...gpt, inputTokens: 200, cachedInputTokens: 80, outputTokens: 40 });
    });

    it("answers and streams a response", async () => {
      const { openai, customer } = clients();
      const asked = { model: "gpt-5", input: "What is a wallet?", max_output_tokens: 50 };
      expect((await openai.responses.create(asked)).output_text).toBe(text);
      let read = "";
      for await (const event of await openai.responses.create({ ...asked, stream: true })) {
        if (event.type === "response.output_text.delta") read += event.delta;
      }
      expect(read).toBe(text);
      await billed(customer, { ...gpt, inputTokens: 200, cachedInputTokens: 80, outputTokens: 40 });
    });

    it("answers embeddings", async () => {
      const { openai, customer } = clients();
      const { data } = await openai.embeddings.create({
        model: "text-embedding-3-small",
        input: ["a wallet", "a credit"],
        encoding_format: "float",
      });
      expect(data).toHaveLength(2);
      await billed(customer, { provider: "openai", model: "text-embedding-3-small", inputTokens: 12 });
    });

    it("lists the models that have a price", async () => {
      const { openai } = clients();
      expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["gpt-5"]);
    });
  });

  describe("with the unmodified client of Anthropic", () => {
    it("answers and streams a message", async () => {
      const { anthropic, customer } = clients();
      const { content } = await anthropic.messages.create(message);
      expect(content).toMatchObject([{ type: "text", text }]);
      const final = await anthropic.messages.stream(message).finalMessage();
      expect(final.content).toMatchObject([{ type: "text", text }]);
      await billed(customer, { ...claude, inputTokens: 200, cachedInputTokens: 80, outputTokens: 40 });
    });

    it("counts tokens and lists models for nothing", async () => {
      const { anthropic } = clients(broke);
      const counted = await anthropic.messages.countTokens({ model: message.model, messages: ask });
      expect(counted.input_tokens).toBe(100);
      expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(["claude-opus-4-5"]);
    });
  });

  it.each([
    ["chat", "/v1/chat/completions", { ...chat, stream: true, stream_options: { include_usage: true } }],
    ["responses", "/v1/responses", { model: "gpt-5", input: "hi", stream: true }],
    ["anthropic", "/v1/messages", { ...message, stream: true }],
  ] as const)("passes a stream of %s byte for byte", async (wire, path, body) => {
    const { apiKey } = clients();
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(Buffer.from(blocksOf(formats[wire]).join("")))).toBe(true);
  });

  it("passes a stream of chat byte for byte, but for the chunk that it has asked for itself", async () => {
    const { apiKey } = clients();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ ...chat, stream: true }),
    });
    const blocks = blocksOf(formats.chat).filter((block) => !block.includes('"choices":[],'));
    expect(await response.text()).toBe(blocks.join(""));
  });

  describe("to a customer who cannot pay", () => {
    it("answers 402 as OpenAI would, once, and asks no model", async () => {
      const { openai, requests } = clients(broke);
      const error = await openai.chat.completions.create(chat).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({
        status: 402,
        type: "insufficient_quota",
        code: "insufficient_credits",
        error: { available: 0.5, currency: "ai_credits", retryable: false },
      });
      expect(String(error)).toMatch(
        /Not enough credits: the request may cost 1\.00\d+ ai_credits, the wallet can pay 0\.5/,
      );
      expect(requests()).toBe(1);
      expect(provider.requests).toEqual([]);
    });

    it("answers 402 as Anthropic would, once, and asks no model", async () => {
      const { anthropic, requests } = clients(broke);
      const asking = anthropic.messages.create({ ...message, max_tokens: 1_000 });
      const error = await asking.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Anthropic.PaymentRequiredError);
      expect(error).toMatchObject({
        status: 402,
        type: "billing_error",
        errorCode: "insufficient_credits",
        details: { available: 0.5, currency: "ai_credits" },
      });
      expect(requests()).toBe(1);
      expect(provider.requests).toEqual([]);
    });

    it("serves what the wallet can pay", async () => {
      const { openai } = clients(broke);
      expect((await openai.chat.completions.create({ ...chat, max_tokens: 50 })).choices).toHaveLength(1);
    });
  });

  describe("where the provider fails", () => {
    it("passes its errors as they are, and its clients do as it says", async () => {
      const { openai, requests } = clients();
      provider.plans.push({ status: 429 }, { status: 429, headers: { "retry-after": "0", "x-own": "no" } });
      const { data, response } = await openai.chat.completions.create(chat).withResponse();
      expect(data.choices).toHaveLength(1);
      expect(response.status).toBe(200);
      expect(requests()).toBe(3);
      provider.plans.push({ status: 429, headers: { "retry-after": "7", "set-cookie": "a=b" } });
      const refused = await openai.chat.completions
        .create(chat, { maxRetries: 0 })
        .catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
      const { headers } = refused as InstanceType<typeof OpenAI.RateLimitError>;
      expect([headers?.get("retry-after"), headers?.get("set-cookie")]).toEqual(["7", null]);
    });

    it("passes a 400 byte for byte, and gives the hold back", async () => {
      const { apiKey, customer } = clients();
      provider.plans.push({ status: 400 });
      const post = (body: object) =>
        fetch(`${gateway.url}/v1/messages`, {
          method: "POST",
          headers: { "x-api-key": apiKey },
          body: JSON.stringify(body),
        });
      const response = await post(message);
      expect(response.status).toBe(400);
      expect(await response.text()).toBe('{"error":{"message":"no","type":"x","code":400}}');
      expect((await post(message)).status).toBe(200);
      await billed(customer, { ...claude, ...emitted });
    });

    it.each([401, 402, 403, 302])(
      "keeps to itself what is between it and the provider: %s",
      async (status) => {
        const emitted = vi.spyOn(console, "error").mockImplementation(() => {});
        onTestFinished(() => emitted.mockRestore());
        const { openai } = clients();
        provider.plans.push({ status, headers: { location: "https://example.com" } });
        const asking = openai.chat.completions.create(chat, { maxRetries: 0 });
        await expect(asking).rejects.toMatchObject({ status: 502, code: "model_unavailable" });
      },
    );
  });

  it("stops the model when its client disconnects, and bills what was made by then", async () => {
    const { openai, customer } = clients();
    provider.plans.push({ pieces: 3, endless: true });
    const stream = await openai.chat.completions.create({ ...chat, stream: true });
    let count = 0;
    for await (const { choices } of stream) if (choices[0]?.delta.content && ++count === 5) break;
    await provider.gone();
    const least = prices({ ...gpt, inputTokens: 9, outputTokens: 5 }) ?? 0;
    const most = prices({ ...gpt, inputTokens: 9, outputTokens: maxOutputTokens }) ?? 0;
    await vi.waitUntil(async () => (await paidBy(customer)) > 0, patience);
    expect(await paidBy(customer)).toBeGreaterThanOrEqual(least);
    expect(await paidBy(customer)).toBeLessThan(most);
  });

  it("tells the provider its own key and what it must know, and nothing of the client", async () => {
    const { openai, anthropic } = clients();
    await openai.chat.completions.create(chat, { headers: { "x-own": "1", cookie: "a=b" } });
    await anthropic.messages.create(message, {
      headers: { "anthropic-beta": "context-1m-2025-08-07, effort-2025-11-24" },
    });
    const [first, second] = provider.requests;
    expect(first?.headers).toMatchObject({ authorization: "Bearer sk-of-the-gateway" });
    expect(second?.headers).toMatchObject({
      "x-api-key": "sk-ant-of-the-gateway",
      "anthropic-version": expect.stringMatching(/^20/),
      // A longer context costs more than the price list says.
      "anthropic-beta": "effort-2025-11-24",
    });
    expect(second?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(provider.requests)).not.toMatch(/token-c|x-own|cookie|stainless/);
  });

  describe("to what it does not serve", () => {
    it("answers 401 to a token that it does not know, before anything is read", async () => {
      const { openai, anthropic, requests } = clients("stranger");
      await expect(openai.chat.completions.create(chat)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
      await expect(anthropic.messages.create(message)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
      await expect(openai.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
      expect(requests()).toBe(3);
      expect(provider.requests).toEqual([]);
    });

    it("answers 404 as the provider would, whatever the path", async () => {
      const { openai, anthropic, apiKey } = clients();
      await expect(openai.files.list()).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      await expect(anthropic.messages.batches.list()).rejects.toBeInstanceOf(Anthropic.NotFoundError);
      const paths = ["chat/completions/", "chat%2Fcompletions", "../v1/images/generations", "completions"];
      for (const path of [...paths, "audio/speech", "messages/batches"]) {
        const headers = { authorization: `Bearer ${apiKey}` };
        const response = await fetch(`${gateway.url}/v1/${path}`, { method: "POST", headers, body: "{}" });
        expect([path, response.status]).toEqual([path, 404]);
      }
      expect(provider.requests).toEqual([]);
    });

    it("refuses a model without a price, as the provider refuses one that it does not have", async () => {
      const { openai, anthropic } = clients();
      const unpriced = { ...chat, model: "gpt-5-2025-08-07" };
      await expect(openai.chat.completions.create(unpriced)).rejects.toMatchObject({
        status: 404,
        code: "model_not_found",
        message: expect.stringContaining('"gpt-5-2025-08-07" is not served here: it has no price'),
      });
      await expect(anthropic.messages.create({ ...message, model: "gpt-5" })).rejects.toBeInstanceOf(
        Anthropic.NotFoundError,
      );
      expect(provider.requests).toEqual([]);
    });

    it.each<[string, "chat/completions" | "responses" | "messages" | "embeddings", object]>([
      ["a field that is not priced", "chat/completions", { ...chat, web_search_options: {} }],
      ["a tier that costs more", "responses", { model: "gpt-5", input: "", service_tier: "priority" }],
      ["work in the background", "responses", { model: "gpt-5", input: "", background: true }],
      ["what was said before", "responses", { model: "gpt-5", input: "", previous_response_id: "r" }],
      ["a name that another API has", "chat/completions", { ...chat, maxOutputTokens: 1 }],
      ["two maxima", "chat/completions", { ...chat, max_tokens: 1, max_completion_tokens: 900 }],
      ["a huge maximum", "chat/completions", { ...chat, max_tokens: 1_001 }],
      ["a maximum that is none", "messages", { ...message, max_tokens: -1 }],
      ["many answers", "chat/completions", { ...chat, n: 9 }],
      ["answers that are no number", "chat/completions", { ...chat, n: "3" }],
      ["half an answer", "chat/completions", { ...chat, n: 1.5 }],
      ["a stream that is no boolean", "chat/completions", { ...chat, stream: "true" }],
      ["a tool of the provider", "responses", { model: "gpt-5", input: "", tools: [{ type: "web_search" }] }],
      ["a tool of Anthropic", "messages", { ...message, tools: [{ type: "web_search_20250305" }] }],
      ["tools that are no list", "messages", { ...message, tools: { type: "custom" } }],
      ["a reference", "responses", { model: "gpt-5", input: [{ type: "item_reference", id: "i" }] }],
      [
        "a file",
        "messages",
        { ...message, messages: [{ role: "user", content: [{ type: "document", source: {} }] }] },
      ],
      [
        "a file in the answer of a tool",
        "messages",
        {
          ...message,
          messages: [
            { role: "user", content: [{ type: "tool_result", content: [{ type: "document", source: {} }] }] },
          ],
        },
      ],
      ["no model", "embeddings", { input: "hi" }],
      ["a list", "chat/completions", [chat]],
      ["a prototype", "chat/completions", JSON.parse('{"__proto__":{},"model":"gpt-5"}')],
    ])("refuses %s with a clear error, and asks no model", async (_, path, body) => {
      const { apiKey } = clients();
      const headers = { "x-api-key": apiKey, "content-type": "application/json" };
      const given = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${gateway.url}/v1/${path}`, given);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { type: string; message: string } };
      expect(error.type).toBe("invalid_request_error");
      expect(error.message).toMatch(/expected|not served here/);
      expect(provider.requests).toEqual([]);
    });

    it("sends what it has read, where a name stands twice", async () => {
      const { apiKey } = clients();
      const body = '{"max_tokens":999999,"model":"secret","max_tokens":7,"model":"gpt-5","messages":[]}';
      const headers = { authorization: `bearer ${apiKey}` };
      await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body });
      expect(provider.requests[0]?.body).toEqual({ max_tokens: 7, model: "gpt-5", messages: [] });
    });

    it.each([
      ["what is no JSON", "{", {}, 400],
      ["what is no text", new Uint8Array([123, 255, 125]), {}, 400],
      ["a body that is compressed", "{}", { "content-encoding": "gzip" }, 415],
      ["a body that is too large", `{"model":"${"x".repeat(4 * 1024 * 1024)}"}`, {}, 413],
    ])("refuses %s", async (_, body, more, status) => {
      const { apiKey } = clients();
      const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01", ...more };
      const response = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ type: "error", error: { message: expect.any(String) } });
      expect(provider.requests).toEqual([]);
    });
  });
});
