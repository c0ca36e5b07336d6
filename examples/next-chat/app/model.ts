import { setTimeout as delay } from "node:timers/promises";
import { longestAnswer } from "./prices.ts";

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

/** Stands in for a model, at the pace of one; stops when the client leaves. */
export async function* answerTo(question: string, signal: AbortSignal): AsyncGenerator<string> {
  const text = answers.find(({ about }) => about.test(question))?.text ?? "";
  for (const word of text.split(" ").slice(0, longestAnswer)) {
    if (signal.aborted) return;
    yield word;
    await delay(40);
  }
}
