import { meteredModel } from "@creditgate/ai";
import type { Charge } from "@creditgate/core";
import { streamText } from "ai";
import { mockModel } from "./mock-model.ts";

const model = mockModel; // a real one: openai("gpt-5"), of @ai-sdk/openai

/** What the gate holds for one answer, and under which name it bills what the answer used. */
export const paid = {
  agentId: "chat", // which part of your product does the work
  indicator: "message", // what is counted and priced
  hold: 3, // the most that one answer may cost: 1 credit, and 2 for each 1,000 tokens
};

/** Streams an answer. The model stops when the client disconnects, and what it wrote until then is billed. */
export function answer(question: string, credits: Charge) {
  return streamText({ model: meteredModel(model, credits), prompt: question, maxOutputTokens: 1_000 });
}

/** The question in the body of a request. */
export function questionIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("question" in body)) return undefined;
  return typeof body.question === "string" && body.question !== "" ? body.question : undefined;
}

export const noQuestion = { error: 'Send JSON such as {"question": "What is a credit?"}.' };
