import { type Fields, fieldsOf, textOf } from "../usage/fields.ts";

/** What a model is given to read, as far as its tokens can be estimated. */
export interface Prompt {
  /** Not joined: a long one is not copied to be measured. */
  readonly texts: readonly string[];
  readonly messages: number;
  /** Images, files and audio. */
  readonly media: number;
  /** Of the files that have any. */
  readonly pages: number;
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
function promptOf(...parts: readonly unknown[]): Prompt {
  const texts: string[] = [];
  let messages = 0;
  let media = 0;
  let pages = 0;
  const add = (medium: unknown): void => {
    const found = pagesOf(medium);
    if (found === undefined) {
      media++;
      const text = fileText(medium);
      if (text !== "") texts.push(text);
    } else pages += found;
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
      if (isMedium(fields)) {
        add(fields);
        return;
      }
      if ("role" in fields) messages++;
      for (const [name, one] of Object.entries(fields)) {
        if (structural.has(name)) continue;
        // What a tool was given or has answered is the application's: no name in it means what it does elsewhere.
        if (toolFields.has(name) && fieldsOf(one) !== undefined) texts.push(jsonOf(one));
        else if (mediumFields.has(name)) add(one);
        else walk(one, depth + 1);
      }
    }
  };
  for (const part of parts) walk(part, 0);
  return { texts, messages, media, pages };
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
  return promptOf(...parts);
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

/** For a file without a page count. Most files have more bytes per page. */
const bytesPerPage = 10_000;

/** About the pages of a medium, as any provider or the AI SDK is given it; `undefined` where it is no PDF. */
function pagesOf(medium: unknown, type = "", depth = 0): number | undefined {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = dataUrl.exec(medium) ?? [];
    return isPdf.test(stated) || data.startsWith("JVBERi0")
      ? pagesIn(atobOf(data), data.length * 0.75)
      : undefined;
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) {
    const latin1 = new TextDecoder("latin1");
    if (!isPdf.test(type) && latin1.decode(bytes.subarray(0, 4)) !== "%PDF") return undefined;
    return pagesIn(latin1.decode(bytes), bytes.length);
  }
  const fields = fieldsOf(medium) ?? {};
  const found =
    depth > 3 ? [] : Object.values(fields).map((one) => pagesOf(one, typeOf(fields) ?? type, depth + 1));
  return found.reduce((most, pages) => (pages === undefined ? most : Math.max(most ?? 0, pages)), undefined);
}

const isPdf = /^application\/pdf/;
const dataUrl = /^data:([^;,]{0,100})[^,]{0,100},([\s\S]*)$/;

function typeOf(fields: Fields): string | undefined {
  return textOf(fields.mediaType ?? fields.mimeType ?? fields.mime_type ?? fields.media_type);
}

/** The text of a file of text, whoever is given it; empty for others. Of one in base64 each byte is a character. */
function fileText(medium: unknown, type = "", depth = 0): string {
  if (typeof medium === "string") {
    const [, stated = type, data = medium] = dataUrl.exec(medium) ?? [];
    return isText.test(stated) ? atobOf(data) || data : "";
  }
  const bytes = medium instanceof ArrayBuffer ? new Uint8Array(medium) : medium;
  if (bytes instanceof Uint8Array) return isText.test(type) ? new TextDecoder().decode(bytes) : "";
  if (depth > 3) return "";
  const fields = fieldsOf(medium) ?? {};
  const own = typeOf(fields) ?? type;
  const { filename: _, ...rest } = fields;
  return Object.values(rest)
    .map((value) => fileText(value, own, depth + 1))
    .join("");
}

const isText = /^text\/|[/+](?:json|xml|yaml|javascript)$/;

function atobOf(data: string): string {
  try {
    return atob(data);
  } catch {
    return "";
  }
}

/** Its pages stand in it one by one, unless they are packed with other things. */
function pagesIn(text: string, length: number): number {
  const written = text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  const isPacked = written === 0 || /\/ObjStm/.test(text);
  return Math.max(written, isPacked ? Math.ceil(length / bytesPerPage) : 0);
}
