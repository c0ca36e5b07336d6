import Anthropic1 from "@anthropic-ai/sdk";
import { type MeteredClientOptions, meteredAnthropic, meteredGemini, meteredOpenAI } from "@creditgate/ai";
import { GoogleGenAI as GoogleGenAI2 } from "@google/genai";
import Anthropic0 from "anthropic0";
import { GoogleGenAI as GoogleGenAI3 } from "genai3";
import OpenAI6 from "openai6";
import OpenAI7 from "openai7";
import type { TestCharge } from "./test-charge.ts";
import type { Wire } from "./wire-format.ts";

/** How one client calls one endpoint. */
export interface ClientOnTrial {
  readonly name: string;
  readonly wire: Wire;
  connect(url: string, charge: TestCharge, options?: MeteredClientOptions): Calls;
}

interface Calls {
  /** The text of a whole answer. */
  generate(signal?: AbortSignal): Promise<string>;
  /** The pieces of a stream. */
  stream(signal?: AbortSignal): Promise<AsyncIterable<string>>;
}

const content = "What is a wallet?";
const messages = [{ role: "user" as const, content }];

async function* texts<Chunk>(
  stream: AsyncIterable<Chunk>,
  text: (chunk: Chunk) => string | null | undefined,
): AsyncGenerator<string> {
  for await (const chunk of stream) {
    const found = text(chunk);
    if (found) yield found;
  }
}

function openAIs(name: string, OpenAI: typeof OpenAI6): ClientOnTrial[] {
  const connect = (url: string, charge: TestCharge, options: MeteredClientOptions = {}) =>
    meteredOpenAI(new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 }), charge, {
      ...charge.options,
      ...options,
    });
  return [
    {
      name: `${name} chat`,
      wire: "chat",
      connect(...given) {
        const { completions } = connect(...given).chat;
        return {
          async generate(signal) {
            const answer = await completions.create({ model: "gpt-5", messages }, { signal });
            return answer.choices[0]?.message.content ?? "";
          },
          async stream(signal) {
            const stream = await completions.create({ model: "gpt-5", messages, stream: true }, { signal });
            return texts(stream, ({ choices }) => choices[0]?.delta.content);
          },
        };
      },
    },
    {
      name: `${name} responses`,
      wire: "responses",
      connect(...given) {
        const { responses } = connect(...given);
        return {
          async generate(signal) {
            const answer = await responses.create({ model: "gpt-5", input: content }, { signal });
            return answer.output_text;
          },
          async stream(signal) {
            const stream = await responses.create(
              { model: "gpt-5", input: content, stream: true },
              { signal },
            );
            return texts(stream, (event) =>
              event.type === "response.output_text.delta" ? event.delta : undefined,
            );
          },
        };
      },
    },
  ];
}

function anthropic(name: string, Anthropic: typeof Anthropic1): ClientOnTrial {
  return {
    name,
    wire: "anthropic",
    connect(url, charge, options = {}) {
      const client = meteredAnthropic(new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0 }), charge, {
        ...charge.options,
        ...options,
      });
      const asked = { model: "claude-opus-4-5", max_tokens: 100, messages };
      return {
        async generate(signal) {
          const answer = await client.messages.create(asked, { signal });
          return answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
        },
        async stream(signal) {
          const stream = await client.messages.create({ ...asked, stream: true }, { signal });
          return texts(stream, (event) =>
            event.type === "content_block_delta" && event.delta.type === "text_delta"
              ? event.delta.text
              : undefined,
          );
        },
      };
    },
  };
}

function gemini(name: string, GoogleGenAI: typeof GoogleGenAI2): ClientOnTrial {
  return {
    name,
    wire: "gemini",
    connect(url, charge, options = {}) {
      const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } });
      const { models } = meteredGemini(client, charge, { ...charge.options, ...options });
      const asked = (abortSignal?: AbortSignal) => ({
        model: "gemini-3-pro",
        contents: content,
        config: { ...(abortSignal && { abortSignal }) },
      });
      return {
        generate: async (signal) => (await models.generateContent(asked(signal))).text ?? "",
        stream: async (signal) =>
          texts(await models.generateContentStream(asked(signal)), ({ text }) => text),
      };
    },
  };
}

export const clients: readonly ClientOnTrial[] = [
  ...openAIs("openai 6", OpenAI6),
  ...openAIs("openai 7", OpenAI7 as unknown as typeof OpenAI6),
  anthropic("@anthropic-ai/sdk 0", Anthropic0 as unknown as typeof Anthropic1),
  anthropic("@anthropic-ai/sdk 1", Anthropic1),
  gemini("@google/genai 2", GoogleGenAI2),
  gemini("@google/genai 3", GoogleGenAI3 as unknown as typeof GoogleGenAI2),
];
