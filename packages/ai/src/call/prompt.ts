import { fieldsOf } from "../usage/fields.ts";

/** What a model is given to read, as far as its tokens can be estimated. */
export interface Prompt {
  readonly text: string;
  readonly messages: number;
  /** Images, files and audio. */
  readonly media: number;
}

/** What providers add to each message, in tokens. */
export const tokensPerMessage = 4;

/** About what an image costs; other media are taken for one. */
const mediumTokens: readonly (readonly [provider: RegExp, tokens: number])[] = [
  [/openai|azure/, 765],
  [/anthropic|bedrock/, 1_568],
  [/google|vertex/, 258],
];

export function tokensPerMedium(provider: string): number {
  return mediumTokens.find(([name]) => name.test(provider))?.[1] ?? 1_000;
}

/** Everything of it that is text to read: messages of any provider or of the AI SDK, tools, schemas. */
export function promptOf(...parts: readonly unknown[]): Prompt {
  const texts: string[] = [];
  let messages = 0;
  let media = 0;
  const walk = (value: unknown, depth: number): void => {
    if (value === "" || value === null || value === undefined) return;
    if (depth > deepest) {
      texts.push(jsonOf(value));
      return;
    }
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "number" || typeof value === "boolean") texts.push(String(value));
    else if (isBinary(value)) media++;
    else if (Array.isArray(value)) for (const one of value) walk(one, depth + 1);
    else {
      const fields = fieldsOf(value) ?? {};
      if (isMedium(fields)) {
        media++;
        return;
      }
      if ("role" in fields) messages++;
      for (const [name, one] of Object.entries(fields)) {
        if (structural.has(name)) continue;
        // What a tool was given or has answered is the application's: no name in it means what it does elsewhere.
        if (toolFields.has(name) && fieldsOf(one) !== undefined) texts.push(jsonOf(one));
        else if (mediumFields.has(name)) media++;
        else walk(one, depth + 1);
      }
    }
  };
  for (const part of parts) walk(part, 0);
  return { text: texts.join("\n"), messages, media };
}

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
  ...["type", "role", "id", "status", "detail", "providerOptions", "providerMetadata", "cache_control"],
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

/** Of Anthropic and the AI SDK, of Gemini, and of OpenAI's tools, whose environment has any names. */
const toolFields: ReadonlySet<string> = new Set(["input", "value", "args", "response", "action"]);

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

/** Bytes, or what is where an address says: as JSON an image would count as a book. */
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
