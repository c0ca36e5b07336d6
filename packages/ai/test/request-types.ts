import type Anthropic from "@anthropic-ai/sdk";
import type * as Genai from "@google/genai";
import type * as Ai5 from "ai5";
import type * as Ai6 from "ai6";
import type * as Ai7 from "ai7";
import type Anthropic0 from "anthropic0";
import type * as Genai3 from "genai3";
import type OpenAI6 from "openai6";
import type OpenAI7 from "openai7";

/** What each metered call that is paid by tokens, or by images, is asked with: every version that is metered. */
export interface Requests {
  chat: OpenAI6.ChatCompletionCreateParams | OpenAI7.ChatCompletionCreateParams;
  completions: OpenAI6.CompletionCreateParams | OpenAI7.CompletionCreateParams;
  responses: OpenAI6.Responses.ResponseCreateParams | OpenAI7.Responses.ResponseCreateParams;
  compact: OpenAI6.Responses.ResponseCompactParams | OpenAI7.Responses.ResponseCompactParams;
  embeddings: OpenAI6.EmbeddingCreateParams | OpenAI7.EmbeddingCreateParams;
  images:
    | (OpenAI6.ImageGenerateParams | OpenAI6.ImageEditParams | OpenAI6.ImageCreateVariationParams)
    | (OpenAI7.ImageGenerateParams | OpenAI7.ImageEditParams | OpenAI7.ImageCreateVariationParams);
  messages: Anthropic.MessageCreateParams | Anthropic0.MessageCreateParams;
  betaMessages: Anthropic.Beta.MessageCreateParams | Anthropic0.Beta.MessageCreateParams;
  gemini: Genai.GenerateContentParameters | Genai3.GenerateContentParameters;
  geminiEmbeddings: Genai.EmbedContentParameters | Genai3.EmbedContentParameters;
  imagen: Genai.GenerateImagesParameters | Genai3.GenerateImagesParameters;
  generateText:
    | Parameters<typeof Ai5.generateText>[0]
    | Parameters<typeof Ai6.generateText>[0]
    | Parameters<typeof Ai7.generateText>[0];
  languageModel: Asked<Exclude<Ai7.LanguageModel, string>, "doGenerate">;
  embeddingModel: Asked<Exclude<Ai7.EmbeddingModel, string>, "doEmbed">;
  imageModel: Asked<Exclude<Ai7.ImageModel, string>, "doGenerate">;
}

type Asked<Model, Name extends keyof Model> = Model[Name] extends (request: infer Request) => unknown
  ? Request
  : never;
