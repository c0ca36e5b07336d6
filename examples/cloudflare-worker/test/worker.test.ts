import { readFile } from "node:fs/promises";
import { type Client, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { StartedExample } from "../../started-example.ts";
import { startWorker } from "./worker.ts";

const patience = { timeout: 30_000, interval: 50 };
const cents = (credits: number): number => Math.round(credits * 100);
const wordsIn = (text: string): number => text.trim().split(" ").length;
const longQuestion = "why ".repeat(200);

describe("the worker, started as its README says", () => {
  let example: StartedExample;
  let client: Client;
  let readme: { origin: string; authorization: string; question: string; command: string };

  beforeAll(async () => {
    const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
    const [command = "", origin = "", authorization = "", question = ""] =
      /curl -iN (\S+) -H 'authorization: (.+?)' -d '(.+?)'/.exec(text) ?? [];
    readme = { command, origin, authorization, question };
    example = await startWorker();
    client = createClient({ baseUrl: example.controlPlaneUrl, apiKey: "cg_test_local" });
  });
  afterAll(() => example?.end("SIGTERM"));

  /** Sends what curl would, each on a connection of its own: workerd may close one on which it has denied a request unread. */
  function ask(question: string, authorization = readme.authorization, method = "POST"): Promise<Response> {
    const headers = {
      authorization,
      accept: "*/*",
      connection: "close",
      "accept-encoding": "identity",
      "content-type": "application/x-www-form-urlencoded",
    };
    return fetch(example.url, { method, headers, body: question });
  }

  /** What Alice has, in cents: a word costs one. */
  async function wallet(): Promise<number> {
    const { balances } = await client.wallets.balance("alice");
    return cents(balances.ai_credits?.available ?? 0);
  }

  const walletOf = (expected: number) => vi.waitUntil(async () => (await wallet()) === expected, patience);

  it.each(["POST", "OPTIONS", "PUT", "DELETE"])(
    "answers 401 to a caller without a token, by %s",
    async (method) => {
      const response = await ask(readme.question, "Bearer nobody", method);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "customer_unresolved" });
    },
  );

  it("bills a client who disconnects midway for the words that were made for it", async () => {
    const before = await wallet();
    const reader = (await ask(longQuestion)).body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    while (wordsIn(heard) < 48) heard += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    await vi.waitUntil(async () => (await wallet()) < before, patience);
    const billed = before - (await wallet());
    expect(billed).toBeGreaterThanOrEqual(wordsIn(heard));
    expect(billed).toBeLessThan(96);
  });

  it("serves the command of the README, and bills exactly what was said", async () => {
    expect(example.output).toContain(readme.command.replace(readme.origin, example.url));
    const before = await wallet();
    const response = await ask(readme.question);
    expect(response.status).toBe(200);
    const answer = await response.text();
    expect(answer).toContain("You asked: What is a credit?");
    await walletOf(before - wordsIn(answer));
  });

  it("streams: the first words arrive before the last ones are made", async () => {
    const before = await wallet();
    const reader = (await ask("why ".repeat(50))).body?.pipeThrough(new TextDecoderStream()).getReader();
    let answer = (await reader?.read())?.value ?? "";
    expect(answer).toMatch(/^You /);
    expect(answer).not.toContain("cent.");
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      answer += read.value;
    expect(answer).toContain("costs a cent.");
    await walletOf(before - wordsIn(answer));
  });

  it("answers 402, and says what to do about it, when the wallet has run dry", async () => {
    await vi.waitUntil(async () => {
      // A denial may come early: what has just been said counts until the service is certain to have debited it.
      await (await ask(longQuestion)).text();
      return (await wallet()) < 100;
    }, patience);

    const response = await ask(readme.question);

    expect(response.status).toBe(402);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const problem = await response.json();
    expect(problem).toMatchObject({
      status: 402,
      code: "insufficient_credits",
      currency: "ai_credits",
      required: 1,
      recommendedAction: "create_order",
    });
    expect(problem.available).toBeLessThan(1);
    expect(cents(problem.shortfall)).toBe(cents(1 - problem.available));
  });

  it("serves the next request after a top-up", async () => {
    const top_ups = [{ credit_currency_key: "ai_credits", credits: 5 }];
    await client.wallets.topUp({ customer_id: "alice", top_ups }, { idempotencyKey: "top-up" });
    const before = await wallet();
    const response = await ask(readme.question);
    expect(response.status).toBe(200);
    await walletOf(before - wordsIn(await response.text()));
  });
});
