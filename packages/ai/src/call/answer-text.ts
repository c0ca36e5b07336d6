import { fieldsOf } from "../usage/fields.ts";
import { jsonOf } from "./prompt.ts";

/** The text of an answer as it comes: all of it while it is of a usual length, and of a very long one the end, where the usage stands. */
export class AnswerText {
  readonly #decoder = new TextDecoder();
  #texts: string[] = [];
  #length = 0;
  #isLong = false;

  add(chunk: Uint8Array<ArrayBuffer>): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length > (this.#isLong ? 2 * tailLength : mostKept)) this.#shorten();
  }

  /** What has come; of a very long answer its end. */
  get text(): string {
    return this.#texts.join("");
  }

  /** The answer; of a very long one an object that has its usage and nothing else. */
  body(): unknown {
    const text = this.text + this.#decoder.decode();
    return this.#isLong ? usageIn(text) : JSON.parse(text);
  }

  #shorten(): void {
    this.#isLong = true;
    const tail = this.text.slice(-tailLength);
    this.#texts = [tail];
    this.#length = tail.length;
  }
}

/** Characters: several pictures as text, and more than any model writes. */
const mostKept = 64 * 1024 * 1024;
const tailLength = 64 * 1024;

/** The last object of these names in a text of JSON whose beginning is missing. */
function usageIn(text: string): Readonly<Record<string, unknown>> {
  for (const { 1: name = "", 2: value = "" } of [...text.matchAll(usage)].reverse()) {
    try {
      return { [name]: JSON.parse(value) };
    } catch {
      // A word of the model that looks like it.
    }
  }
  return {};
}

/** An object with objects in it, and none in those. */
const usage = /"(usage|usageMetadata)"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/g;

/** About what a model has written, in JSON of which the end is missing. */
export function textIn(json: string): string {
  const values = [...json.matchAll(/"([^"\\]*)"\s*:\s*"((?:[^"\\]+|\\[\s\S])*)/g)];
  return values.flatMap(([, name = "", value]) => (notWritten.has(name) ? [] : [value])).join(" ");
}

/** What a model has written in a value of OpenAI's API: every text, unless its name is known to hold something else. */
export function textsIn(value: unknown, name = ""): readonly string[] {
  if (notWrittenInItems.has(name)) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one));
  const fields = fieldsOf(value);
  if (fields === undefined) return [];
  if (writtenAsJson.has(name)) return [jsonOf(fields)];
  return Object.entries(fields).flatMap(([within, one]) => textsIn(one, within));
}

const notWritten: ReadonlySet<string> = new Set([
  ...["id", "object", "type", "role", "model", "modelVersion", "responseId", "status", "call_id"],
  ...["finish_reason", "stop_reason", "finishReason", "service_tier", "system_fingerprint"],
  ...["signature", "thoughtSignature", "encrypted_content"],
  // Of logprobs, which repeat each token.
  "token",
]);

/** In messages and items of OpenAI. Elsewhere what a tool is given may have these names. */
const notWrittenInItems: ReadonlySet<string> = new Set([
  ...notWritten,
  ...["phase", "format", "extra_content", "logprobs"],
  // Images and sound.
  ...["data", "image_url", "result"],
  // Of the provider's own tools: what they have found.
  ...["annotations", "sources", "results", "output", "outputs", "tools", "server_label", "container_id"],
  ...["pending_safety_checks", "error"],
]);

/** The model has written the names in them too. */
const writtenAsJson: ReadonlySet<string> = new Set(["arguments", "input", "args", "env"]);
