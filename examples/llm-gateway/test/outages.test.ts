import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import OpenAI from "openai6";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { currentPrices } from "../src/prices.ts";
import { gatewayOf } from "../src/settings.ts";
import { startOnNode } from "./gateways.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  const fixture = JSON.parse(await readFile(new URL("../fixture.json", import.meta.url), "utf8"));
  plane = await startControlPlane({ fixture });
});
afterAll(() => plane?.stop());

beforeEach(() => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  return () => said.mockRestore();
});

const settings = () => ({
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
  CUSTOMER_TOKENS: '{"t":"alice"}',
  OPENAI_API_KEY: "k",
  // Nothing listens there.
  OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
});
const chat = { model: "gpt-5", messages: [{ role: "user" as const, content: "hi" }] };

describe("the gateway", () => {
  it("says that it cannot ask the model where the provider is away, and gives the hold back", async () => {
    const { url, gate, stop } = await startOnNode(settings());
    const client = new OpenAI({ apiKey: "t", baseURL: `${url}/v1`, maxRetries: 0 });
    await expect(client.chat.completions.create(chat)).rejects.toMatchObject({
      status: 502,
      type: "server_error",
      code: "model_unavailable",
    });
    expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 0 });
    await stop();
  });

  it("answers 400 to an address that is none, and 404 to a method that it does not know", async () => {
    const { url, stop } = await startOnNode(settings());
    for (const [start, status] of [
      ["GET //", 400],
      ["TRACE /v1/models", 404],
    ]) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.end(`${start} HTTP/1.1\r\nhost: gateway\r\nconnection: close\r\n\r\n`);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
    await stop();
  });

  it("does not speak for a provider that it has no key of", async () => {
    const { url, stop } = await startOnNode(settings());
    const client = new Anthropic({ apiKey: "t", baseURL: url, maxRetries: 0 });
    const asking = client.messages.create({ ...chat, max_tokens: 1 });
    await expect(asking).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    await stop();
  });

  it("says 503, and when to ask again, while the balance cannot be read", async () => {
    // Gates of one process share the balances that they have read, and Bob's was not.
    const { url, stop } = await startOnNode({ ...settings(), CUSTOMER_TOKENS: '{"t":"bob"}' });
    const client = new OpenAI({ apiKey: "t", baseURL: `${url}/v1`, maxRetries: 0 });
    plane.faults.unavailable(503, { paths: ["/api/v1/wallet"] });
    const error = await client.chat.completions.create(chat).catch((thrown: unknown) => thrown);
    plane.faults.restore();
    expect(error).toMatchObject({ status: 503, type: "server_error", code: "upstream_unavailable" });
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get("retry-after")).toBe("1");
    await stop();
  });

  it.each([
    [{ MAX_OUTPUT_TOKENS: "many" }, 'MAX_OUTPUT_TOKENS: expected a whole number of tokens, received "many"'],
    [{ CUSTOMER_TOKENS: "alice" }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '{"t":7}' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '["alice"]' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '"alice"' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '{"":"alice"}' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '{"a b":"alice"}' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '{"t":""}' }, 'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}'],
    [{ CUSTOMER_TOKENS: '{"t":{"budgets":["b"]}}' }, "CUSTOMER_TOKENS: expected JSON"],
    [{ CUSTOMER_TOKENS: '{"t":{"customer":"a","budget":["b"]}}' }, "CUSTOMER_TOKENS: expected JSON"],
    [{ CUSTOMER_TOKENS: '{"t":{"customer":"a","budgets":"b"}}' }, "CUSTOMER_TOKENS: expected JSON"],
    [{ CUSTOMER_TOKENS: '{"t":{"customer":"a","budgets":["b c"]}}' }, "CUSTOMER_TOKENS: expected JSON"],
    [
      { OPENAI_BASE_URL: "api.openai.com/v1" },
      'OPENAI_BASE_URL: expected an address such as https://api.example.com, received "api.openai.com/v1"',
    ],
    [
      { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "localhost:8000" },
      'ANTHROPIC_BASE_URL: expected an address such as https://api.example.com, received "localhost:8000"',
    ],
    [
      { OPENAI_API_KEY: "" },
      "OPENAI_API_KEY, ANTHROPIC_API_KEY: expected at least one of them, received none",
    ],
  ])("does not start with %j", (wrong, message) => {
    expect(() => gatewayOf({ ...settings(), ...wrong }, {})).toThrow(message);
  });
});

describe("currentPrices", () => {
  const work = { agentId: "gateway", indicator: "call" };
  const gpt = { provider: "openai", model: "gpt-5", outputTokens: 1_000 };

  it("asks the service at most once a minute, and goes on with what it knows while that is away", async () => {
    let nowMs = 0;
    let rate = 1;
    const asked: number[] = [];
    const list = async () => {
      asked.push(nowMs);
      if (rate === 0) throw new Error("away");
      const modelPrices = [{ ...gpt, price: { perThousandOutputTokens: rate } }];
      return { agents: [{ agentId: "gateway", indicators: [{ name: "call", price: {}, modelPrices }] }] };
    };
    const prices = currentPrices({ agents: { list } }, work, () => nowMs);
    const price = async (at: number) => {
      nowMs = at;
      return (await prices())(gpt);
    };
    expect(await price(0)).toBe(1);
    rate = 2;
    expect(await price(59_999)).toBe(1);
    expect(await price(60_000)).toBe(2);
    rate = 0;
    expect([await price(130_000), await price(131_000)]).toEqual([2, 2]);
    expect(asked).toEqual([0, 60_000, 130_000]);
    expect((await prices())({ ...gpt, model: "other" })).toBeUndefined();
  });

  it("fails where it has never heard any", async () => {
    const away = { agents: { list: () => Promise.reject(new Error("away")) } };
    await expect(currentPrices(away, work)()).rejects.toThrow("away");
    const silent = { agents: { list: async () => ({ agents: [] }) } };
    await expect(currentPrices(silent, work)()).rejects.toThrow(
      "no prices of indicator call of agent gateway",
    );
  });
});
