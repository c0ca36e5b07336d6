import { setTimeout as delay } from "node:timers/promises";
import { longestAnswer } from "./billing.ts";

const text =
  "A credit is a unit of work that you have paid for. Each word that I say costs a hundredth of one: " +
  "while I speak, enough for my longest answer is held, and when I am done you pay for what I said. " +
  "Should your credits run out, I stay silent until you top up.";

/** Stands in for a model, at the pace of one. */
export async function* answerTo(question: string, signal: AbortSignal): AsyncGenerator<string> {
  const opening = question.trim().endsWith("?") ? [] : ["Noted."];
  for (const word of [...opening, ...text.split(" ")].slice(0, longestAnswer)) {
    if (signal.aborted) return;
    yield word;
    await delay(15);
  }
}
