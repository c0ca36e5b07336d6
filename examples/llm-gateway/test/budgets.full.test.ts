import { readFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import OpenAI from "openai6";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Provider } from "../../../packages/ai/test/provider.ts";
import { startOnNode } from "./gateways.ts";

const adminToken = "cga_a-token-for-these-tests";
const provider = new Provider();
let plane: TestControlPlane;
let organization: OrganizationAdmin;
let gateway: Awaited<ReturnType<typeof startOnNode>>;
const noon = Date.UTC(2026, 4, 5, 12);
const tokens = {
  "token-1": { customer: "alice", budgets: ["member:1"] },
  "token-2": { customer: "alice", budgets: ["member:2"] },
  "token-3": { customer: "alice", budgets: ["nobody"] },
  "token-all": "alice",
};

beforeAll(async () => {
  await provider.start();
  const fixture = JSON.parse(await readFile(new URL("../fixture.json", import.meta.url), "utf8"));
  plane = await startControlPlane({ fixture, adminToken, clock: { now: () => noon } });
  organization = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed(
    fixture.organization.name,
  );
  const { budgets } = organization;
  await budgets.set("alice", "ai_credits", "member:*", { limit: 0.5, every: "day", timeZone: "UTC" });
  await budgets.set("alice", "ai_credits", "member:2", { limit: 50, every: "day", timeZone: "UTC" });
  gateway = await startOnNode(settings());
});
afterAll(async () => {
  await gateway?.stop();
  await plane?.stop();
  await provider.stop();
});

const settings = () => ({
  CREDITGATE_BASE_URL: plane.baseUrl,
  CREDITGATE_API_KEY: plane.apiKey,
  CUSTOMER_TOKENS: JSON.stringify(tokens),
  OPENAI_API_KEY: "sk-of-the-gateway",
  OPENAI_BASE_URL: `${provider.url}/v1`,
  ANTHROPIC_API_KEY: "sk-ant-of-the-gateway",
  ANTHROPIC_BASE_URL: provider.url,
});

const messages = [{ role: "user" as const, content: "What is a wallet?" }];
const openai = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1` });
const asOpenAI = (apiKey: string, max_completion_tokens = 1_000) =>
  openai(apiKey).chat.completions.create({ model: "gpt-5", messages, max_completion_tokens });
const asAnthropic = (apiKey: string) =>
  new Anthropic({ apiKey, baseURL: gateway.url }).messages.create({
    ...{ model: "claude-opus-4-5", messages, max_tokens: 1_000 },
  });
const refused = (asked: Promise<unknown>) => asked.catch((thrown: unknown) => thrown);

describe("a token with budgets", () => {
  it("is denied as its provider would, with what is left of the budget, and asks no model", async () => {
    provider.reset();
    const budget = { key: "member:1", limit: 0.5, left: 0.5, resetsAt: "2026-05-06T00:00:00.000Z" };
    const error = await refused(asOpenAI("token-1"));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({
      status: 402,
      type: "insufficient_quota",
      code: "budget_exceeded",
      error: { budget },
    });
    expect(String(error)).toMatch(
      /The budget is used up: the request may cost 1\.00\d+ ai_credits, member:1 has 0\.5 of 0\.5 left until 2026-05-06T00:00:00\.000Z/,
    );
    expect(await refused(asAnthropic("token-1"))).toMatchObject({
      status: 402,
      type: "billing_error",
      errorCode: "budget_exceeded",
      details: { budget },
    });
    expect(String(await refused(asOpenAI("token-3")))).toMatch(
      /The billing service does not know this budget: .*, and nobody has no limit yet/,
    );
    expect(provider.requests).toEqual([]);
  });

  it("counts each request in its budgets, and in no others", async () => {
    await asOpenAI("token-2");
    await asAnthropic("token-2");
    await asOpenAI("token-1", 50);
    await asOpenAI("token-all");
    await gateway.gate.flush();
    await plane.settled();
    const used = async (key: string) => (await organization.budgets.get("alice", "ai_credits", key)).used;
    const { available = 0 } = (await plane.balance("alice")).ai_credits ?? {};
    const [one, two] = [await used("member:1"), await used("member:2")];
    expect(one).toBeGreaterThan(0);
    expect(two).toBeGreaterThan(one);
    expect(one + two).toBeLessThan(100 - available);
    // Those of OpenAI cost the same.
    expect(100 - available - two).toBeCloseTo(2 * one, 6);
  });
});
