import { invalidOption } from "@creditgate/core/adapter";

/** A model of the AI SDK, as far as all of them are alike. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

export type ModelKind = "language" | "embedding" | "image" | "audio";

/** Which kind of model it is. Throws an `invalid_option` error for what is none, or is not metered. */
export function kindOf(model: unknown): ModelKind {
  if (typeof model === "string") {
    const written = JSON.stringify(model.slice(0, 64));
    return invalidOption("model", `a model object; write gateway(${written}), of the AI SDK`, model);
  }
  if (typeof model !== "object" || model === null) return invalidOption("model", metered, model);
  const has = (name: string) => name in model;
  if (has("doRerank")) return invalidOption("model", `${metered}; reranking is not metered`, model);
  if (has("maxVideosPerCall")) return invalidOption("model", `${metered}; video is not metered`, model);
  if (has("supportedUrls")) return "language";
  if (has("doEmbed")) return "embedding";
  if (has("doGenerate")) return has("maxImagesPerCall") ? "image" : "audio";
  return invalidOption("model", metered, model);
}

const metered = "a language, embedding, image, speech or transcription model of the AI SDK";
