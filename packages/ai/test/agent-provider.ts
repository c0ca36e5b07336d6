import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listedPrices } from "@creditgate/ai";
import { type Piece, tokensOf } from "./scripts.ts";

/** Credits for its tokens, as the service and the application have them. */
export const price = { perThousandInputTokens: 0.2, perThousandOutputTokens: 2 };
export const prices = listedPrices({ price });

/** The same, in micro-credits. */
export function costOf({
  inputTokens,
  outputTokens,
}: Pick<BookEntry, "inputTokens" | "outputTokens">): number {
  return 200 * inputTokens + 2_000 * outputTokens;
}

/** What the provider does with a call of an agent. */
export interface AgentPlan {
  /** Writes these, if the request allows as many tokens. */
  readonly pieces: readonly Piece[];
  /** Calls a tool first. */
  readonly tool: boolean;
  /** Refuses the call. */
  readonly refuses: boolean;
  /** Breaks off after so many pieces. */
  readonly cutAfter: number | undefined;
}

/** What the provider has done for a call, by its own count. */
export interface BookEntry {
  /** Whose call it was: what its address begins with. */
  readonly agent: string;
  readonly inputTokens: number;
  /** What it has sent. */
  readonly pieces: Piece[];
  /** Tokens that it has sent. */
  outputTokens: number;
  /** It has sent all, and told what was used. */
  isFinished: boolean;
}

/** A server that speaks Chat Completions, streams, and keeps a book of what it has read and written, by a tokenizer of its own. */
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
      readonly messages: readonly Message[];
      readonly tools?: readonly { readonly function: unknown }[];
      readonly max_completion_tokens?: number;
    };
    const pieces = [{ text: "Yes.", tokens: 2 }];
    const plan = this.plans.shift() ?? { pieces, tool: false, refuses: false, cutAfter: undefined };
    if (plan.refuses) {
      response.writeHead(500, { "content-type": "application/json" });
      response.end('{"error":{"message":"no","type":"server_error"}}');
      return;
    }
    const most = asked.max_completion_tokens ?? Number.POSITIVE_INFINITY;
    const [, agent = ""] = (request.url ?? "").split("/");
    const inputTokens = tokensIn(asked.messages, asked.tools ?? []);
    const entry: BookEntry = { agent, inputTokens, pieces: [], outputTokens: 0, isFinished: false };
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
    // Before it goes out: the reader may have it, and be gone, before this goes on.
    const write = (piece: Piece, delta: object) => {
      entry.pieces.push(piece);
      entry.outputTokens += piece.tokens;
      return send([{ index: 0, delta, finish_reason: null }]);
    };
    const calls = plan.tool && most >= toolCall.tokens;
    if (calls) {
      const call = { name: "weather", arguments: toolCall.text };
      await write(toolCall, {
        tool_calls: [{ index: 0, id: `t${this.book.length}`, type: "function", function: call }],
      });
    }
    for (const [at, piece] of (calls ? [] : plan.pieces).entries()) {
      // Not even the head of the answer has gone out: the call has failed, and is in nobody's book.
      if (plan.cutAfter === 0 && !response.destroyed) this.book.splice(this.book.indexOf(entry), 1);
      if (plan.cutAfter === at || response.destroyed) return void response.destroy();
      if (entry.outputTokens + piece.tokens > most) break;
      await write(piece, { content: piece.text });
    }
    entry.isFinished = true;
    await send([{ index: 0, delta: {}, finish_reason: calls ? "tool_calls" : "stop" }]);
    const { outputTokens } = entry;
    const usage = { prompt_tokens: inputTokens, completion_tokens: outputTokens };
    await send([], { usage: { ...usage, total_tokens: inputTokens + outputTokens } });
    response.end("data: [DONE]\n\n");
  }
}

const toolArguments = '{"city":"Rome"}';

/** What a call of a tool is written as. */
export const toolCall: Piece = { text: toolArguments, tokens: tokensOf(toolArguments) };

interface Message {
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** All that is read: the text of messages, four tokens for each, tools as JSON, and what was called. */
function tokensIn(messages: readonly Message[], tools: readonly { readonly function: unknown }[]): number {
  const texts = messages.flatMap(({ content, tool_calls = [] }) => [
    ...(typeof content === "string" ? [content] : []),
    ...tool_calls.flatMap(({ function: { name, arguments: given } }) => [name, given]),
  ]);
  const all = [...texts, ...tools.map(({ function: tool }) => JSON.stringify(tool))].map(tokensOf);
  return all.reduce((sum, tokens) => sum + tokens, 4 * messages.length);
}
