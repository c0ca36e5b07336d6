import * as ai from "ai7";
import { createAnthropic } from "ai7-anthropic";
import { createGoogleGenerativeAI } from "ai7-google";
import { createOpenAI } from "ai7-openai";
import type { AiSdk, Origin } from "./ai-sdk.ts";

const openai = (origin: Origin) =>
  createOpenAI({ apiKey: "k", baseURL: `${origin.url}/v1`, ...(origin.fetch && { fetch: origin.fetch }) });

export const ai7: AiSdk = {
  name: "ai 7",
  models: (origin) => ({
    chat: openai(origin).chat("gpt-5"),
    responses: openai(origin).responses("gpt-5"),
    anthropic: createAnthropic({
      apiKey: "k",
      baseURL: `${origin.url}/v1`,
      ...(origin.fetch && { fetch: origin.fetch }),
    })("claude-opus-4-5"),
    gemini: createGoogleGenerativeAI({
      apiKey: "k",
      baseURL: `${origin.url}/v1beta`,
      ...(origin.fetch && { fetch: origin.fetch }),
    })("gemini-3-pro"),
  }),
  media: (origin) => ({
    embedding: openai(origin).textEmbedding("embed"),
    image: openai(origin).image("gpt-image-1"),
    speech: openai(origin).speech("tts-1"),
    transcription: openai(origin).transcription("whisper-1"),
  }),
  async generate(model, { maxRetries = 0, ...options } = {}) {
    const { text } = await ai.generateText({
      model: model as ai.LanguageModel,
      prompt,
      maxRetries,
      ...options,
    });
    return text;
  },
  async generateBadObject(model) {
    const schema = ai.jsonSchema({ type: "object", properties: {} });
    await ai.generateObject({ model: model as ai.LanguageModel, prompt, schema, maxRetries: 0 });
  },
  stream(model, options = {}) {
    const { tool, ...rest } = options;
    const inputSchema = ai.jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
    });
    const weather = tool && ai.tool({ description: "The weather", inputSchema, execute: tool });
    return ai.streamText({
      model: model as ai.LanguageModel,
      prompt,
      maxRetries: 0,
      onError: () => {},
      ...(weather && { tools: { weather }, stopWhen: ai.stepCountIs(5) }),
      ...rest,
    });
  },
  async embedMany(model, values) {
    await ai.embedMany({ model: model as ai.EmbeddingModel, values });
  },
  async makeImages(model) {
    await ai.generateImage({ model: model as ai.ImageModel, prompt, n: 2 });
  },
  async speak(model, text) {
    await ai.experimental_generateSpeech({ model: model as ai.SpeechModel, text });
  },
  async transcribe(model, audio = new Uint8Array([1])) {
    await ai.experimental_transcribe({ model: model as ai.TranscriptionModel, audio, maxRetries: 0 });
  },
};

const prompt = "What is a wallet?";
