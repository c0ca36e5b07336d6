import { type LanguageModel, streamText } from "ai";
import { longestAnswer } from "../../prices.ts";

/** Streams the answer to the question that the request is. A reader who leaves stops the model. Knows nothing of credits. */
export async function chat(request: Request, llm: LanguageModel): Promise<Response> {
  const answer = streamText({
    model: llm,
    prompt: await request.text(),
    maxOutputTokens: longestAnswer,
    abortSignal: request.signal,
  });
  return answer.toTextStreamResponse();
}
