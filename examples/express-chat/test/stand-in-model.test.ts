import { generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { longestAnswer } from "../src/longest-answer.ts";
import { createStandInModel } from "../src/stand-in-model.ts";

const model = createStandInModel({ pause: async () => {} });

async function messageOf(message: string, signal = new AbortController().signal) {
  const { textStream, usage } = streamText({ model, prompt: message, abortSignal: signal });
  let text = "";
  for await (const piece of textStream) text += piece;
  return { text, words: text.trim().split(/\s+/), usage: await usage };
}

describe("createStandInModel", () => {
  it("gives the same answer to the same message, and counts its words", async () => {
    const { text, words, usage } = await messageOf("What is a credit?");

    expect((await messageOf("What is a credit?")).text).toBe(text);
    expect((await messageOf("What is a wallet?")).text).not.toBe(text);
    expect(usage).toMatchObject({ inputTokens: 4, outputTokens: words.length });
  });

  it.each([
    ["one in 1 word", 1],
    ["in 40 words", 40],
    ["in 100 words", 100],
    ["in 5000 words", longestAnswer],
  ])("is as long as it is asked to be, within the longest answer: %s", async (message, length) => {
    expect((await messageOf(message)).words).toHaveLength(length);
  });

  it("says the same at once as in a stream, and counts it the same", async () => {
    const { text, usage } = await generateText({ model, prompt: "What is a credit?" });
    const streamed = await messageOf("What is a credit?");
    expect(text).toBe(streamed.text.trim());
    expect(usage).toMatchObject({ inputTokens: 4, outputTokens: streamed.words.length });
  });

  it("ends early when its signal aborts", async () => {
    const stop = new AbortController();
    const { textStream } = streamText({ model, prompt: "in 50 words", abortSignal: stop.signal });
    let words = 0;
    for await (const _ of textStream) if (++words === 7) stop.abort();
    expect(words).toBeLessThan(50);
  });
});
