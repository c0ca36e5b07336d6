import { type LanguageModel, streamText } from "ai";
import { longestAnswer } from "../../prices.ts";

/** Writes the answers to the questions that the request is, a line each, one after the other. Knows nothing of credits. */
export async function guide(
  request: Request,
  model: LanguageModel,
  write: (text: string) => void,
): Promise<void> {
  const questions = (await request.text()).split("\n");
  for (const prompt of questions) {
    const step = { model, prompt, maxOutputTokens: longestAnswer, abortSignal: request.signal };
    for await (const part of streamText(step).fullStream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") write(part.text);
    }
  }
}
