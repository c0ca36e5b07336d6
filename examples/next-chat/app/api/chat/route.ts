import { withCredits } from "@creditgate/next";
import { customer, gate, longestAnswer, price } from "../../billing.ts";
import { answerTo } from "../../model.ts";

/** Streams an answer to whoever can pay for the longest one; what it was in the end is billed when it has ended. */
export const POST = withCredits(
  gate,
  { customer, agentId: "chat", indicator: "message", hold: price(longestAnswer) },
  async (request, { credits }) => {
    const words = answerTo(await request.text(), request.signal);
    const encoder = new TextEncoder();
    let outputTokens = 0;
    const report = () =>
      credits.report({ provider: "stand-in", model: "echo", inputTokens: 0, outputTokens });
    const body = new ReadableStream({
      async pull(controller) {
        const word = await words.next();
        if (word.done) {
          report();
          return controller.close();
        }
        outputTokens++;
        controller.enqueue(encoder.encode(`${word.value} `));
      },
      // Whoever leaves pays for what was made for them.
      cancel: report,
    });
    return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
  },
);
