import { setTimeout as delay } from "node:timers/promises";
import { type Answer, type ChatModel, longestAnswer } from "./model.ts";

export interface StandInModelOptions {
  /** Waits between two words, so that a stream looks alive. @default 10 milliseconds */
  readonly pause?: () => Promise<unknown>;
}

/**
 * A model that needs no network: every word is a token, and the same message gets the same answer. It says as many
 * words as it is asked for ("in 40 words"), else as many as the message makes it.
 */
export function createStandInModel({ pause = () => delay(10) }: StandInModelOptions = {}): ChatModel {
  return {
    answer(message, signal): Answer {
      const prompt = wordsOf(message);
      const answer = compose(prompt, lengthFor(message));
      let said = 0;
      return {
        get usage() {
          return { provider: "local", model: "stand-in", inputTokens: prompt.length, outputTokens: said };
        },
        async *[Symbol.asyncIterator]() {
          for (const word of answer) {
            await pause();
            if (signal.aborted) return;
            said += 1;
            yield said === answer.length ? `${word}\n` : `${word} `;
          }
        },
      };
    },
  };
}

const passage = wordsOf(
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

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
