import { createServer, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** What is read of a request. */
interface Asked {
  readonly model: string;
  readonly messages: unknown;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** What one API makes of an answer. */
interface Wire {
  whole(asked: Asked, words: readonly string[]): object;
  /** The events of a stream, and the name of each where the API gives it one. */
  events(asked: Asked, words: readonly string[]): Generator<object>;
  readonly isNamed: boolean;
  readonly end: string;
}

const sentence =
  "You are speaking to a stand-in that says the same whatever it is asked, a token for each word.";

/** A provider for trying the gateway without a key: as much of OpenAI and Anthropic as that takes. */
export function standInProvider(pauseMs = 20): Server {
  return createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url?.split("?", 1)[0] ?? "";
    const wire = wires.get(path);
    if (path === "/v1/models") return json(response, { object: "list", data: models, has_more: false });
    if (path === "/v1/messages/count_tokens")
      return json(response, { input_tokens: tokensIn(JSON.parse(text)) });
    if (wire === undefined)
      return json(response, { error: { message: "the stand-in does not speak this" } }, 404);
    const asked: Asked = JSON.parse(text);
    const most = asked.max_completion_tokens ?? asked.max_tokens;
    const words = sentence.split(" ").slice(0, most);
    if (asked.stream !== true) return json(response, wire.whole(asked, words));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of wire.events(asked, words)) {
      if (response.destroyed) return;
      const name = wire.isNamed && "type" in event ? `event: ${event.type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
      await delay(pauseMs);
    }
    response.end(wire.end);
  });
}

const models = ["gpt-5", "claude-opus-4-5"].map((id) => ({ id, object: "model", type: "model" }));

const usageOf = (asked: Asked, words: readonly string[]) => ({
  prompt_tokens: tokensIn(asked),
  completion_tokens: words.length,
  total_tokens: tokensIn(asked) + words.length,
});

const chat: Wire = {
  whole: (asked, words) => ({
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: asked.model },
    choices: [{ index: 0, message: { role: "assistant", content: words.join(" ") }, finish_reason: "stop" }],
    usage: usageOf(asked, words),
  }),
  *events(asked, words) {
    const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: asked.model };
    const choice = (content: string) => ({
      index: 0,
      delta: { role: "assistant", content },
      finish_reason: null,
    });
    for (const word of words) yield { ...chunk, choices: [choice(`${word} `)] };
    yield { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    if (asked.stream_options?.include_usage) yield { ...chunk, choices: [], usage: usageOf(asked, words) };
  },
  isNamed: false,
  end: "data: [DONE]\n\n",
};

const messageOf = (asked: Asked, text: string, output_tokens: number) => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: asked.model },
  content: text === "" ? [] : [{ type: "text", text }],
  ...{ stop_reason: text === "" ? null : "end_turn", stop_sequence: null },
  usage: { input_tokens: tokensIn(asked), output_tokens },
});

const messages: Wire = {
  whole: (asked, words) => messageOf(asked, words.join(" "), words.length),
  *events(asked, words) {
    yield { type: "message_start", message: messageOf(asked, "", 1) };
    yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    for (const word of words) {
      yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `${word} ` } };
    }
    yield { type: "content_block_stop", index: 0 };
    const delta = { stop_reason: "end_turn", stop_sequence: null };
    yield { type: "message_delta", delta, usage: { output_tokens: words.length } };
    yield { type: "message_stop" };
  },
  isNamed: true,
  end: "",
};

const wires: ReadonlyMap<string, Wire> = new Map([
  ["/v1/chat/completions", chat],
  ["/v1/messages", messages],
]);

function tokensIn({ messages }: Asked): number {
  return JSON.stringify(messages).split(/\s+/).length;
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
