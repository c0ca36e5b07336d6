import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import { createStandInModel } from "./stand-in-model.ts";

/** A model of the AI SDK, not merely its name. */
export type ChatModel = Exclude<LanguageModel, string>;

export interface OpenAiEndpoint {
  /** Where the endpoint is, up to and without `/chat/completions`. @default OpenAI's own */
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  /** The name of the model at that endpoint. */
  readonly model: string;
}

/** The model behind this endpoint, which speaks OpenAI's chat completions; without one, a stand-in. */
export function modelOf(endpoint: OpenAiEndpoint | undefined): ChatModel {
  if (endpoint === undefined) return createStandInModel();
  const { baseUrl: baseURL, apiKey, model } = endpoint;
  return createOpenAI({ apiKey, ...(baseURL !== undefined && { baseURL }) }).chat(model);
}
