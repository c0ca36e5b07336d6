import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModel } from "ai";
import { longestAnswer } from "./prices.ts";

/** A model of the AI SDK 6. */
type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];
type Generated = Awaited<ReturnType<Model["doGenerate"]>>;
type Part = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

/** Each of fifty words, since it goes on as long as it may. */
const answers = [
  {
    about: /run out|run dry|empty|stop|enough/i,
    text:
      "Then I stay silent, and you are told so before any work begins: what was missing, and what you can do " +
      "about it. Pay, and your very next question is answered, for none is ever turned away on old news. What " +
      "is already in flight is never cut off halfway.",
  },
  {
    about: /cost|charge|pay|price|bill/i,
    text:
      "Each of my words costs a hundredth of a credit. While I speak, enough for my longest answer is held back, " +
      "so two tabs cannot spend it twice. When I am done you pay for just what I said. Should you stop me " +
      "halfway, you pay for half of it.",
  },
  {
    about: /./,
    text:
      "A credit is a unit of work that you have paid for. It sits in your wallet, at the service that keeps the " +
      "books, until I work for you. Your balance up there falls with every word that I say, and what is left can " +
      "be spent on another question.",
  },
];

/** Stands in for a model, at the pace of one: each word is a token. Stops when the client disconnects. */
export function createStandInModel(): Model {
  async function* parts(prompt: Prompt, signal?: AbortSignal): AsyncGenerator<Part, void> {
    const words = answerTo(prompt);
    yield { type: "text-start", id: "1" };
    for (const word of words) {
      if (signal?.aborted) return;
      yield { type: "text-delta", id: "1", delta: `${word} ` };
      await delay(40);
    }
    yield { type: "text-end", id: "1" };
    yield { type: "finish", ...endOf(words) };
  }
  return {
    specificationVersion: "v3",
    provider: "stand-in",
    modelId: "echo",
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const words = answerTo(prompt);
      return { content: [{ type: "text", text: words.join(" ") }], ...endOf(words), warnings: [] };
    },
    async doStream({ prompt, abortSignal }) {
      const answer = parts(prompt, abortSignal);
      const stream = new ReadableStream<Part>({
        async pull(controller) {
          const { done, value } = await answer.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => answer.return().then(() => {}),
      });
      return { stream };
    },
  };
}

function answerTo(prompt: Prompt): readonly string[] {
  const question = JSON.stringify(prompt.at(-1)?.content ?? "");
  const text = answers.find(({ about }) => about.test(question))?.text ?? "";
  return text.split(" ").slice(0, longestAnswer);
}

/** What is read costs nothing here, and is not counted. */
function endOf({ length }: readonly string[]): Pick<Generated, "finishReason" | "usage"> {
  return {
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: length, text: length, reasoning: 0 },
    },
  };
}
