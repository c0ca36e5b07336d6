import type { AiSdkModel } from "@creditgate/ai";
import type { Usage } from "@creditgate/core";
import type { Wire } from "./wire-format.ts";

/** Where a provider of the SDK sends its calls. */
export interface Origin {
  readonly url: string;
  readonly fetch?: typeof fetch;
}

interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly maxRetries?: number;
}

/** What the tests use of one version of the AI SDK. */
export interface AiSdk {
  readonly name: string;
  models(origin: Origin): Readonly<Record<Wire, AiSdkModel>>;
  media(origin: Origin): Readonly<Record<"embedding" | "image" | "speech" | "transcription", AiSdkModel>>;
  generate(model: AiSdkModel, options?: CallOptions): Promise<string>;
  /** Asks for an object where the model answers text. */
  generateBadObject(model: AiSdkModel): Promise<void>;
  stream(
    model: AiSdkModel,
    options?: {
      readonly abortSignal?: AbortSignal;
      readonly prompt?: string;
      /** Offers the model a tool, which answers so, and goes on with its answer. */
      readonly tool?: () => Promise<string>;
    },
  ): { readonly textStream: AsyncIterable<string>; readonly totalUsage: PromiseLike<Usage> };
  embedMany(model: AiSdkModel, values: string[]): Promise<void>;
  makeImages(model: AiSdkModel): Promise<void>;
  speak(model: AiSdkModel, text: string): Promise<void>;
  transcribe(model: AiSdkModel, audio?: Uint8Array): Promise<void>;
}
