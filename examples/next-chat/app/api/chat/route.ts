import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/next";
import { agentId } from "../../billing.ts";
import { gate } from "../../gate.ts";
import { answerTo } from "../../model.ts";
import { longestAnswer, price } from "../../prices.ts";
import { signedIn } from "../../session.ts";

/** Streams an answer to a customer who can pay for the longest one; what it was in the end is billed when it has ended. */
export const POST = withCredits(
  gate,
  {
    customer: signedIn,
    agentId,
    indicator: "message",
    hold: price(longestAnswer),
    // Billed where nothing is reported: an answer that cannot be counted must not be free.
    defaultUsage: { inputTokens: 0, outputTokens: longestAnswer },
  },
  async (request, { credits }) => {
    const answer = billed(answerTo(await request.text(), credits.signal), credits);
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await answer.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // The client has left: what has been made for it is billed, as `billed` does however it ends.
      cancel: () => answer.return(undefined).then(() => {}),
    });
    return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
  },
);

/** The words as bytes, billed when they end, or when the reader cancels. */
async function* billed(words: AsyncIterable<string>, credits: Charge): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let outputTokens = 0;
  try {
    for await (const word of words) {
      outputTokens++;
      yield encoder.encode(`${word} `);
    }
  } finally {
    credits.report({ provider: "stand-in", model: "echo", inputTokens: 0, outputTokens });
  }
}
