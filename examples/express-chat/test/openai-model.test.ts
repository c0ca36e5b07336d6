import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/model.ts";
import { createOpenAiModel } from "../src/openai-model.ts";
import { serve } from "./local-server.ts";

const never = new AbortController().signal;

async function modelOn(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const url = await serve(listener);
  return createOpenAiModel({ baseUrl: `${url}/v1/`, apiKey: "sk-test", model: "small" });
}

async function textOf(answer: Answer): Promise<string> {
  let text = "";
  for await (const piece of answer) text += piece;
  return text;
}

function event(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
}

const counted = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 9 } })}\n\n`;

describe("createOpenAiModel", () => {
  it("asks for a bounded stream with usage, and passes on text and usage", async () => {
    let received = "";
    let headers: IncomingMessage["headers"] = {};
    let url: string | undefined;
    const model = await modelOn(async (request, response) => {
      ({ headers, url } = request);
      for await (const bytes of request) received += bytes;
      const role = `data: ${JSON.stringify({ choices: [{ delta: { role: "assistant" } }] })}\n\n`;
      response.end(`${role}${event("Grü")}${event("ße")}${counted}data: [DONE]\n\n`);
    });

    const answer = model.answer("Say hello", never);

    expect(await textOf(answer)).toBe("Grüße");
    expect(answer.usage).toEqual({ provider: "openai", model: "small", inputTokens: 7, outputTokens: 9 });
    expect(url).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe("Bearer sk-test");
    expect(JSON.parse(received)).toEqual({
      model: "small",
      messages: [{ role: "user", content: "Say hello" }],
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("stops the endpoint when its signal aborts, ends quietly, and estimates what was used", async () => {
    let closed: Promise<unknown> | undefined;
    const model = await modelOn((_, response) => {
      closed = once(response, "close");
      response.write(event("one ") + event("two ") + event("three"));
    });
    const stop = new AbortController();
    const answer = model.answer("Count to one hundred", stop.signal);

    let text = "";
    for await (const piece of answer) {
      text += piece;
      if (text === "one two three") stop.abort();
    }

    await closed;
    expect(answer.usage).toEqual({ provider: "openai", model: "small", inputTokens: 5, outputTokens: 4 });
  });

  it("estimates where the endpoint does not count", async () => {
    const model = await modelOn((_, response) => response.end(`${event("a")}${event("b")}data: [DONE]\n\n`));
    const answer = model.answer("four", never);

    expect(await textOf(answer)).toBe("ab");
    expect(answer.usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });

  it("throws what the endpoint answers instead", async () => {
    const model = await modelOn((_, response) => response.writeHead(429).end("slow down"));

    await expect(textOf(model.answer("Hello", never))).rejects.toThrow("429 slow down");
  });

  it("throws an error that comes in the stream", async () => {
    const model = await modelOn((_, response) =>
      response.end(`${event("a")}data: {"error":{"message":"overloaded"}}\n\n`),
    );

    await expect(textOf(model.answer("Hello", never))).rejects.toThrow("overloaded");
  });

  it("throws when the endpoint breaks off or takes too long", async () => {
    const breaking = await modelOn((request, response) =>
      response.write(event("a"), () => request.socket.destroy()),
    );
    await expect(textOf(breaking.answer("Hello", never))).rejects.toThrow();

    const baseUrl = await serve(() => {});
    const hanging = createOpenAiModel({ baseUrl, apiKey: "sk-test", model: "small", timeoutMs: 20 });
    await expect(textOf(hanging.answer("Hello", never))).rejects.toThrow(/timeout/i);
  });
});
