import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const words =
  "This answer comes from a mock model, word by word. Before the first word the gate held credits for the longest answer. " +
  "After the last word it bills what the model used, and gives back the rest.";
const tokens = words.split(/(?<= )/);

/** Answers every question with the same words, and counts each as a token. */
export const mockModel = new MockLanguageModelV3({
  doStream: async () => ({
    stream: simulateReadableStream({
      chunkDelayInMs: 30,
      chunks: [
        { type: "text-start", id: "answer" },
        ...tokens.map((delta) => ({ type: "text-delta" as const, id: "answer", delta })),
        { type: "text-delta", id: "answer", delta: "\n" },
        { type: "text-end", id: "answer" },
        {
          type: "finish",
          finishReason: { unified: "stop", raw: undefined },
          usage: {
            inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: tokens.length, text: tokens.length, reasoning: 0 },
          },
        },
      ],
    }),
  }),
});
