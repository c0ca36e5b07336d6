import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the provider does with a call of an agent. */
export interface AgentPlan {
  /** Writes so many tokens, if the request allows as many. */
  readonly tokens: number;
  /** Calls a tool first. */
  readonly tool: boolean;
  /** Refuses the call. */
  readonly refuses: boolean;
  /** Breaks off after so many tokens. */
  readonly cutAfter: number | undefined;
}

/** What the provider has done for a call, by its own count. */
export interface BookEntry {
  readonly inputTokens: number;
  /** Tokens that it has sent. */
  outputTokens: number;
  /** It has sent all, and told what was used. */
  isFinished: boolean;
}

/** A server that speaks Chat Completions, streams, and keeps a book of what it has read and written: each word is a token. */
export class AgentProvider {
  readonly book: BookEntry[] = [];
  readonly plans: AgentPlan[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const asked = JSON.parse(text) as {
      readonly messages: readonly unknown[];
      readonly max_completion_tokens?: number;
    };
    const plan = this.plans.shift() ?? { tokens: 5, tool: false, refuses: false, cutAfter: undefined };
    if (plan.refuses) {
      response.writeHead(500, { "content-type": "application/json" });
      response.end('{"error":{"message":"no","type":"server_error"}}');
      return;
    }
    const most = asked.max_completion_tokens ?? Number.POSITIVE_INFINITY;
    const entry: BookEntry = { inputTokens: wordsIn(asked.messages), outputTokens: 0, isFinished: false };
    this.book.push(entry);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (choices: readonly object[], rest: object = {}) => {
      const chunk = {
        id: "c",
        object: "chat.completion.chunk",
        created: 1,
        model: "gpt-5",
        choices,
        ...rest,
      };
      return new Promise<void>((resolve, reject) =>
        response.write(`data: ${JSON.stringify(chunk)}\n\n`, (error) => (error ? reject(error) : resolve())),
      );
    };
    const calls = plan.tool && most >= toolTokens;
    const tokens = calls ? toolTokens : Math.min(most, plan.tokens);
    if (calls) {
      entry.outputTokens = toolTokens;
      const call = { name: "weather", arguments: '{"city":"Rome"}' };
      const delta = {
        tool_calls: [{ index: 0, id: `t${this.book.length}`, type: "function", function: call }],
      };
      await send([{ index: 0, delta, finish_reason: null }]);
    }
    for (let sent = calls ? tokens : 0; sent < tokens; sent++) {
      if (plan.cutAfter === sent || response.destroyed) return void response.destroy();
      // Before it goes out: the reader may have it, and be gone, before this goes on.
      entry.outputTokens++;
      await send([{ index: 0, delta: { content: ` word${sent}` }, finish_reason: null }]);
    }
    entry.isFinished = true;
    await send([{ index: 0, delta: {}, finish_reason: calls ? "tool_calls" : "stop" }]);
    const { inputTokens, outputTokens } = entry;
    const usage = { prompt_tokens: inputTokens, completion_tokens: outputTokens };
    await send([], { usage: { ...usage, total_tokens: inputTokens + outputTokens } });
    response.end("data: [DONE]\n\n");
  }
}

/** What a tool call takes. */
export const toolTokens = 5;

/** All that stands in the messages, in words. */
function wordsIn(value: unknown): number {
  if (typeof value === "string") return value.split(/\s+/).filter((word) => word !== "").length;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + wordsIn(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  const { content, tool_calls } = value as { readonly content?: unknown; readonly tool_calls?: unknown };
  return wordsIn(content) + (Array.isArray(tool_calls) ? tool_calls.length : 0);
}
