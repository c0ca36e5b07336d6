import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { parsed } from "./routes.ts";

/** A call of the model, as far as it has come. */
export interface ModelCall {
  /** Of the request for which it is made, if its text names one. */
  readonly id: string | undefined;
  tokens: number;
  state: "runs" | "ended" | "aborted";
}

interface Asked {
  readonly model?: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly max_output_tokens?: number;
}

/** Served in the place of the application's model: sees work that runs, is aborted, or goes on after the client left. */
export class Model {
  readonly calls: ModelCall[] = [];
  /** Bytes of each token beside its text: many fill the buffers of a slow reader. */
  padding = 0;
  firstTokenMs = 50;
  readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const call: ModelCall = { id: text.match(/leak-\d+/g)?.at(-1), tokens: 0, state: "runs" };
    this.calls.push(call);
    const gone = new AbortController();
    response.once("close", () => {
      gone.abort();
      call.state = response.writableFinished ? "ended" : "aborted";
    });
    const asked = (parsed(text) ?? {}) as Asked;
    const most = asked.max_completion_tokens ?? asked.max_tokens ?? asked.max_output_tokens ?? 20;
    const form = forms.find(({ path }) => request.url?.includes(path)) ?? plain;
    const count = Math.max(1, Math.min(most, 100));
    await delay(this.firstTokenMs);
    const isStream = asked.stream === true || form === plain;
    const padding = "x".repeat(this.padding);
    if (isStream)
      response.writeHead(200, { "content-type": form === plain ? "text/plain" : "text/event-stream" });
    const model = asked.model ?? "leak";
    for (const event of isStream ? form.opening(model) : []) response.write(event);
    while (call.tokens < count && !response.destroyed) {
      if (isStream && !response.write(form.token(`word${padding} `, model))) {
        await once(response, "drain", { signal: gone.signal }).catch(() => undefined);
      }
      call.tokens++;
      await delay(5);
    }
    if (isStream) response.end(form.closing(call.tokens, model));
    else {
      const body = JSON.stringify(form.whole("word ".repeat(count), call.tokens, model));
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    }
  }
}

/** What one API makes of an answer. */
interface Form {
  readonly path: string;
  opening(model: string): readonly string[];
  token(text: string, model: string): string;
  closing(tokens: number, model: string): string;
  whole(text: string, tokens: number, model: string): unknown;
}

const event = (data: object): string => {
  const name = "type" in data ? `event: ${data.type}\n` : "";
  return `${name}data: ${JSON.stringify(data)}\n\n`;
};

const plain: Form = {
  path: "",
  opening: () => [],
  token: (text) => text,
  closing: () => "",
  whole: (text) => text,
};

const chunk = (model: string, fields: object) =>
  event({ id: "leak", object: "chat.completion.chunk", created: 1, model, choices: [], ...fields });
const chatUsage = (tokens: number) => ({
  usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens },
});

const chat: Form = {
  path: "/chat/completions",
  opening: () => [],
  token: (content, model) =>
    chunk(model, { choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] }),
  closing: (tokens, model) =>
    `${chunk(model, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${chunk(model, chatUsage(tokens))}data: [DONE]\n\n`,
  whole: (content, tokens, model) => ({
    ...{ id: "leak", object: "chat.completion", created: 1, model },
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    ...chatUsage(tokens),
  }),
};

const response = (model: string, status: string, text?: string, tokens = 0) => ({
  ...{ id: "leak", object: "response", created_at: 1, status, model, incomplete_details: null },
  output: text === undefined ? [] : [item(text)],
  usage: { input_tokens: 10, output_tokens: tokens, total_tokens: 10 + tokens },
});
const item = (text: string) => ({
  ...{ id: "item", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});

const responses: Form = {
  path: "/responses",
  opening: (model) => [
    event({ type: "response.created", response: response(model, "in_progress") }),
    event({ type: "response.output_item.added", output_index: 0, item: { ...item(""), content: [] } }),
  ],
  token: (delta) =>
    event({ type: "response.output_text.delta", item_id: "item", output_index: 0, content_index: 0, delta }),
  closing: (tokens, model) =>
    event({ type: "response.output_item.done", output_index: 0, item: item("word") }) +
    event({ type: "response.completed", response: response(model, "completed", "word", tokens) }),
  whole: (text, tokens, model) => response(model, "completed", text, tokens),
};

const forms: readonly Form[] = [chat, responses];
