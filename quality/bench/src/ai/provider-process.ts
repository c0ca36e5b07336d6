import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { task, tell } from "../control-plane/child.ts";

export interface ProviderTask {
  /** From the request to the first token. */
  readonly thinkingMs: number;
  /** Of each answer, a chunk each, one every millisecond. */
  readonly words: number;
}

const { thinkingMs, words: count } = await task<ProviderTask>();
/** As long as those of OpenAI, which has the usage in each where it is asked for. */
const chunk = {
  ...{
    id: "chatcmpl-CXnxqbX2pTzUsgTEJxQM2tkfGb6Dq",
    object: "chat.completion.chunk",
    created: 1_764_089_695,
  },
  ...{ model: "gpt-5", service_tier: "default", system_fingerprint: null },
};
const choice = (content: string) => ({ index: 0, delta: { content }, finish_reason: null });
const event = (data: object): string => `data: ${JSON.stringify({ ...chunk, ...data })}\n\n`;
const words = Array.from({ length: count }, (_, index) =>
  event({ choices: [choice(` word${index}`)], usage: null, obfuscation: "hYdr" }),
);
const tokens = { prompt_tokens: 9, completion_tokens: count, total_tokens: 9 + count };
const end = [
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null }),
  event({ choices: [], usage: tokens }),
  "data: [DONE]\n\n",
].join("");

/** Streams chat completions, word by word, after it has thought. */
const server = createServer(async (request, response) => {
  request.resume();
  await once(request, "end");
  await setTimeout(thinkingMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const word of words) {
    response.write(word);
    await setTimeout(1);
  }
  response.end(end);
});
await once(server.listen(0, "127.0.0.1"), "listening");
tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
