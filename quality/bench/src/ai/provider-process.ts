import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { task, tell } from "../control-plane/child.ts";

export interface ProviderTask {
  /** From the request to the first token. */
  readonly thinkingMs: number;
}

const { thinkingMs } = await task<ProviderTask>();
const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-5" };
const choice = (content: string) => ({ index: 0, delta: { content }, finish_reason: null });
const words = Array.from({ length: 20 }, (_, index) => ({ ...chunk, choices: [choice(` word${index}`)] }));
const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const usage = {
  ...chunk,
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 },
};
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** Streams chat completions, word by word, after it has thought. */
const server = createServer(async (request, response) => {
  request.resume();
  await once(request, "end");
  await setTimeout(thinkingMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const word of words) {
    response.write(event(word));
    await setTimeout(1);
  }
  response.end(`${event(end)}${event(usage)}data: [DONE]\n\n`);
});
await once(server.listen(0, "127.0.0.1"), "listening");
tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
