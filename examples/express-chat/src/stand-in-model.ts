import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModel } from "ai";
import { longestAnswer } from "./longest-answer.ts";

/** A model of the AI SDK 6. */
type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];
type Generated = Awaited<ReturnType<Model["doGenerate"]>>;
type Part = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

export interface StandInModelOptions {
  /** Waits between two words, so that a stream looks alive. @default 10 milliseconds */
  readonly pause?: () => Promise<unknown>;
}

/**
 * A model that needs no network: every word is a token, and the same message gets the same answer. It says as many
 * words as it is asked for ("in 40 words"), else as many as the message makes it.
 */
export function createStandInModel({ pause = () => delay(10) }: StandInModelOptions = {}): Model {
  async function* parts(prompt: Prompt, signal?: AbortSignal): AsyncGenerator<Part, void> {
    const answer = answerTo(prompt);
    yield { type: "text-start", id: "1" };
    for (const [at, word] of answer.entries()) {
      await pause();
      if (signal?.aborted) return;
      yield { type: "text-delta", id: "1", delta: at === answer.length - 1 ? `${word}\n` : `${word} ` };
    }
    yield { type: "text-end", id: "1" };
    yield { type: "finish", ...endOf(prompt, answer) };
  }
  return {
    specificationVersion: "v3",
    provider: "local",
    modelId: "stand-in",
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const answer = answerTo(prompt);
      return {
        content: [{ type: "text", text: answer.join(" ") }],
        ...endOf(prompt, answer),
        warnings: [],
      };
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

function endOf(prompt: Prompt, answer: readonly string[]): Pick<Generated, "finishReason" | "usage"> {
  const [input, output] = [messageOf(messageIn(prompt)).length, answer.length];
  return {
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
  };
}

/** The text of the last message. */
function messageIn(prompt: Prompt): string {
  const content = prompt.at(-1)?.content ?? "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function answerTo(prompt: Prompt): readonly string[] {
  const message = messageIn(prompt);
  return compose(messageOf(message), lengthFor(message));
}

const passage = messageOf(
  "A credit is a promise that somebody has already paid for. Before the work begins a part of the wallet is set " +
    "aside, so that no other request can spend it meanwhile. The work is done, its tokens are counted, and the bill " +
    "follows once the answer has gone out. What was set aside and not needed goes back. Nothing is given away, " +
    "nothing is charged twice, and a customer who runs out of credits hears of it before the work and not after it.",
);

function compose(prompt: readonly string[], length: number): readonly string[] {
  const opening = ["You", "asked:", ...prompt.slice(0, 12), "—"];
  return Array.from(
    { length },
    (_, at) => opening[at] ?? passage[(at - opening.length) % passage.length] ?? "",
  );
}

function lengthFor(message: string): number {
  const asked = /\b([1-9]\d{0,5}) words?\b/i.exec(message)?.[1];
  const length = asked === undefined ? 30 + (checksum(message) % 60) : Number(asked);
  return Math.min(length, longestAnswer);
}

function checksum(text: string): number {
  let sum = 0;
  for (const character of text) sum = (31 * sum + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum;
}

function messageOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
