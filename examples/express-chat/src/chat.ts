import { pipeline } from "node:stream/promises";
import { type LanguageModel, streamText } from "ai";
import type { Request, Response } from "express";
import { longestAnswer } from "./longest-answer.ts";
import { messageOf } from "./message.ts";

/** Answers the message in the request, word by word. A client that disconnects stops the model. Knows nothing of credits. */
export async function chat(req: Request, res: Response, llm: LanguageModel): Promise<void> {
  const left = new AbortController();
  res.once("close", () => left.abort());
  const { fullStream } = streamText({
    model: llm,
    prompt: messageOf(req.body),
    maxOutputTokens: longestAnswer,
    abortSignal: left.signal,
    onError: () => {},
  });
  res.type("text/plain");
  await pipeline(textIn(fullStream), res, { end: false });
  res.end();
}

/** The text as it comes; throws what the model fails with. */
async function* textIn(
  stream: AsyncIterable<{ readonly type: string; readonly text?: string; readonly error?: unknown }>,
): AsyncGenerator<string> {
  for await (const { type, text, error } of stream) {
    if (type === "text-delta" && text !== undefined) yield text;
    if (type === "error") throw error;
  }
}
