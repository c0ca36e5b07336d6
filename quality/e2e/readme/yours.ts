import { once } from "node:events";
import { createOpenAI } from "@ai-sdk/openai";
import type { Request } from "express";

// What the README leaves to its reader, as little as makes its examples run.

/** With `MODEL_WAITS` it prints on stdout that it was asked, and answers when a line comes on stdin. */
const told = process.env.MODEL_WAITS === undefined ? undefined : once(process.stdin, "data");

/** An answer of 2.5 credits at the README's price. */
const usage = { prompt_tokens: 30, completion_tokens: 990, total_tokens: 1_020 };

/** The real model of the AI SDK, whose requests are answered here. */
export const llm = createOpenAI({ apiKey: "none", fetch: completion }).chat("gpt-5");

async function completion(_url: unknown, init?: RequestInit): Promise<Response> {
  const { messages } = JSON.parse(String(init?.body));
  const message = { role: "assistant", content: await said(messages.at(-1).content) };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  return Response.json({ id: "c", object: "chat.completion", created: 1, model: "gpt-5", choices, usage });
}

export async function answerTo(
  question: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ text: string; usage: { input: number; output: number } }> {
  signal.throwIfAborted();
  const text = await said(question);
  return { text, usage: { input: usage.prompt_tokens, output: usage.completion_tokens } };
}

async function said(question: string): Promise<string> {
  if (told !== undefined) console.log("asked");
  await told;
  return `You asked: ${question}`;
}

export function userOf(request: Request): { readonly id: string } | undefined {
  const id = request.get("x-user");
  return id === undefined ? undefined : { id };
}

export function verifiedPayment(
  request: Request,
): { readonly id: string; readonly customerId: string; readonly credits: number } | undefined {
  return JSON.parse(String(request.body));
}
