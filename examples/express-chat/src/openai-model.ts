import type { Usage } from "@creditgate/core";
import { type Answer, type ChatModel, longestAnswer } from "./model.ts";
import { serverSentEvents } from "./server-sent-events.ts";

export interface OpenAiModelOptions {
  /** Where the endpoint is, up to and without `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The name of the model at that endpoint. */
  readonly model: string;
  /** Milliseconds for a whole answer. @default 60_000 */
  readonly timeoutMs?: number;
}

/** A model behind any endpoint that speaks OpenAI's chat completions. */
export function createOpenAiModel(options: OpenAiModelOptions): ChatModel {
  const { baseUrl, apiKey, model, timeoutMs = 60_000 } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
  const settings = {
    model,
    max_tokens: longestAnswer,
    stream: true,
    stream_options: { include_usage: true },
  };

  async function* completion(message: string, signal: AbortSignal): AsyncGenerator<Chunk> {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...settings, messages: [{ role: "user", content: message }] }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok || response.body === null) {
      throw new Error(`${url}: expected an answer, received ${response.status} ${await excerpt(response)}`);
    }
    for await (const data of serverSentEvents(response.body)) {
      if (data === "[DONE]") return;
      yield chunkOf(data);
    }
  }

  return {
    answer(message, signal): Answer {
      let pieces = 0;
      let characters = 0;
      let measured: Partial<Usage> | undefined;
      return {
        get usage() {
          return { provider: "openai", model, ...(measured ?? estimate(message, pieces, characters)) };
        },
        async *[Symbol.asyncIterator]() {
          try {
            for await (const { text, usage } of completion(message, signal)) {
              measured = usage ?? measured;
              if (text === "") continue;
              pieces += 1;
              characters += text.length;
              yield text;
            }
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        },
      };
    },
  };
}

/** The endpoint counts the tokens at the very end, which an answer that was stopped never reaches. */
function estimate(message: string, pieces: number, characters: number): Partial<Usage> {
  const outputTokens = Math.min(longestAnswer, Math.max(pieces, Math.ceil(characters / 4)));
  return { inputTokens: Math.ceil(message.length / 4), outputTokens };
}

/** What this example reads of a `chat.completion.chunk`. */
interface Chunk {
  readonly text: string;
  readonly usage: Partial<Usage> | undefined;
}

interface WireChunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly error?: { readonly message?: string };
}

function chunkOf(data: string): Chunk {
  const { choices, usage, error } = JSON.parse(data) as WireChunk;
  if (error !== undefined) throw new Error(`the model failed: ${error.message ?? data}`);
  return {
    text: choices?.[0]?.delta?.content ?? "",
    usage: usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : undefined,
  };
}

async function excerpt(response: Response): Promise<string> {
  return (await response.text().catch(() => "")).slice(0, 200);
}
