import { createOpenAI } from "@ai-sdk/openai";
import { createStandInModel } from "./stand-in-model.ts";

const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: name = "gpt-4o-mini" } = process.env;

/** OpenAI's where there is a key; else one that stands in. */
export const llm = apiKey ? createOpenAI({ apiKey }).chat(name) : createStandInModel();
