import { describe, expect, it } from "vitest";
import { longestAnswer } from "../src/model.ts";
import { createStandInModel } from "../src/stand-in-model.ts";

const model = createStandInModel({ pause: async () => {} });

async function wordsOf(message: string, signal = new AbortController().signal) {
  const answer = model.answer(message, signal);
  let text = "";
  for await (const piece of answer) text += piece;
  return { text, words: text.trim().split(/\s+/), usage: answer.usage };
}

describe("createStandInModel", () => {
  it("gives the same answer to the same message, and counts its words", async () => {
    const { text, words, usage } = await wordsOf("What is a credit?");

    expect((await wordsOf("What is a credit?")).text).toBe(text);
    expect((await wordsOf("What is a wallet?")).text).not.toBe(text);
    expect(usage).toEqual({
      provider: "local",
      model: "stand-in",
      inputTokens: 4,
      outputTokens: words.length,
    });
  });

  it.each([
    ["one in 1 word", 1],
    ["in 40 words", 40],
    ["in 100 words", 100],
    ["in 5000 words", longestAnswer],
  ])("is as long as it is asked to be, within the longest answer: %s", async (message, length) => {
    expect((await wordsOf(message)).words).toHaveLength(length);
  });

  it("ends early, and has counted what it said, when its signal aborts", async () => {
    const stop = new AbortController();
    const answer = model.answer("in 50 words", stop.signal);

    let words = 0;
    for await (const _ of answer) if (++words === 7) stop.abort();

    expect(answer.usage.outputTokens).toBe(7);
  });
});
