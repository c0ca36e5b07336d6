import { type Fields, fieldsOf, textOf } from "../usage/fields.ts";
import { contentOf } from "./file-content.ts";

/** What a model is given to read, as far as its tokens can be estimated. */
export interface Prompt {
  /** Not joined: a long one is not copied to be measured. */
  readonly texts: readonly string[];
  readonly messages: number;
  /** Images, files and audio. */
  readonly media: number;
  /** Of the files that have any. */
  readonly pages: number;
  readonly unseen: Unseen;
}

/** What may be read beyond that. A hold counts it; an estimate for a bill does not. */
export interface Unseen {
  readonly pages: number;
  readonly audioSeconds: number;
  readonly videoSeconds: number;
  /** Of each tool; empty for those of the application. */
  readonly toolTypes: readonly string[];
}

/** What providers add to each message, in tokens. */
const tokensPerMessage = 4;

/** About what an image costs; other media are taken for one. */
const mediumTokens: readonly (readonly [provider: RegExp, tokens: number])[] = [
  [/openai|azure/, 765],
  [/anthropic|bedrock/, 1_568],
  [/google|vertex/, 258],
];

/** Of the text on a page, which is read beside its image. Gemini counts the image alone. */
const tokensOfPage = 2_000;

/** About the tokens of what is read beside the text. */
export function tokensBeside({ messages, media, pages }: Prompt, provider: string): number {
  const medium = mediumTokens.find(([name]) => name.test(provider))?.[1] ?? 1_000;
  const page = medium + (/google|vertex/.test(provider) ? 0 : tokensOfPage);
  return messages * tokensPerMessage + media * medium + pages * page;
}

/** Everything of it that is text to read: messages of any provider or of the AI SDK, tools, schemas. */
function promptOf(parts: readonly unknown[], toolTypes: readonly string[]): Prompt {
  const texts: string[] = [];
  let messages = 0;
  let media = 0;
  let pages = 0;
  const unseen = { pages: 0, audioSeconds: 0, videoSeconds: 0, toolTypes };
  const add = (medium: unknown): void => {
    const content = contentOf(medium);
    unseen.pages += content.hiddenPages;
    unseen.audioSeconds += content.audioSeconds;
    unseen.videoSeconds += content.videoSeconds;
    if (content.pages !== undefined) pages += content.pages;
    else {
      media++;
      if (content.text !== "") texts.push(content.text);
    }
  };
  const walk = (value: unknown, depth: number): void => {
    if (value === "" || value === null || value === undefined) return;
    if (depth > deepest) {
      texts.push(jsonOf(value));
      return;
    }
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "number" || typeof value === "boolean") texts.push(String(value));
    else if (isBinary(value)) add(value);
    else if (Array.isArray(value)) for (const one of value) walk(one, depth + 1);
    else {
      const fields = fieldsOf(value) ?? {};
      // A message is none, whatever else stands in it.
      if ("role" in fields) messages++;
      else if (isMedium(fields)) {
        add(fields);
        return;
      }
      for (const [name, one] of Object.entries(fields)) {
        if (structural.has(name)) continue;
        if (isToolData(name, one, fields)) texts.push(jsonOf(one));
        else if (mediumFields.has(name)) add(one);
        else walk(one, depth + 1);
      }
    }
  };
  for (const part of parts) walk(part, 0);
  return { texts, messages, media, pages, unseen };
}

/** All that is read of a request of the AI SDK, or of one of the providers. */
export function promptIn(request: Fields): Prompt {
  const parts: unknown[] = [];
  const collect = (fields: Fields): void => {
    for (const [name, value] of Object.entries(fields)) {
      const isIn = (names: ReadonlySet<string>) => names.has(name) || names.has(camelCase(name));
      const within = isIn(containers) ? fieldsOf(value) : undefined;
      if (within !== undefined) collect(within);
      else if (isIn(read)) parts.push(value);
      else if (isIn(readAsJson)) parts.push(jsonOf(value));
    }
  };
  collect(request);
  return promptOf(parts, toolTypesIn(request.tools));
}

/** The AI SDK names the provider's own tools by an id, and may have all tools as one object. */
function toolTypesIn(tools: unknown): readonly string[] {
  return Object.values(Object(tools) as Fields).map((tool) => {
    const { type, id } = fieldsOf(tool) ?? {};
    return `${textOf(id) ?? ""} ${textOf(type) ?? ""}`;
  });
}

/** Gemini takes the names of its fields in either way. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const containers: ReadonlySet<string> = new Set([
  ...["config", "generationConfig", "output_config", "text", "parameters"],
]);

const read: ReadonlySet<string> = new Set([
  ...["system", "instructions", "systemInstruction", "messages", "prompt", "input", "contents", "content"],
  ...["values", "requests", "instances", "text", "title", "suffix", "prediction", "negativePrompt"],
  ...["files", "image", "mask", "markup"],
]);

const readAsJson: ReadonlySet<string> = new Set([
  ...["tools", "functions", "responseFormat", "output_format", "format"],
  ...["responseSchema", "responseJsonSchema", "compaction", "context_management"],
]);

/** Tools and schemas are read as JSON, with the names of their fields. */
export function jsonOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** Deeper than any prompt is. */
const deepest = 32;

const structural: ReadonlySet<string> = new Set([
  ...[
    "type",
    "role",
    "model",
    "taskType",
    "outputDimensionality",
    "id",
    "status",
    "detail",
    "providerOptions",
    "providerMetadata",
    "cache_control",
  ],
  ...[
    "toolCallId",
    "tool_call_id",
    "tool_use_id",
    "call_id",
    "mediaType",
    "mimeType",
    "mime_type",
    "media_type",
  ],
  ...["signature", "thoughtSignature", "encrypted_content", "reasoning_encrypted_content"],
]);

/**
 * What a tool was given or has answered is the application's: no name in it means what it does elsewhere. Only a `content` value consists of
 * parts.
 */
function isToolData(name: string, value: unknown, { type, toolCallId }: Fields): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (name === "value") return type !== "content";
  if (toolFields.has(name)) return true;
  if (toolCallId === undefined || !resultFields.has(name)) return false;
  // In UI messages the application's own; in model messages one of these.
  return type !== "tool-result" || !toolOutputs.test(String(fieldsOf(value)?.type));
}

/** Of Anthropic and the AI SDK, of Gemini, and of OpenAI's tools, whose environment has any names. */
const toolFields: ReadonlySet<string> = new Set(["input", "args", "response", "action"]);
const resultFields: ReadonlySet<string> = new Set(["output", "result", "rawInput"]);
const toolOutputs = /^(content|(error-)?(text|json)|execution-denied)$/;

const mediumFields: ReadonlySet<string> = new Set([
  ...["inlineData", "inline_data", "fileData", "file_data", "image_url", "input_audio"],
]);

const mediumTypes: ReadonlySet<unknown> = new Set([
  ...[
    "image",
    "image_url",
    "input_image",
    "image-data",
    "image-url",
    "file",
    "input_file",
    "file-data",
    "file-url",
  ],
  ...["media", "audio", "input_audio", "video", "base64", "url"],
]);

/** Bytes, or a URL: as JSON an image would count as a book. */
function isMedium({ type }: { readonly type?: unknown }): boolean {
  return mediumTypes.has(type);
}

function isBinary(value: unknown): boolean {
  return (
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    value instanceof URL ||
    (typeof Blob !== "undefined" && value instanceof Blob)
  );
}
