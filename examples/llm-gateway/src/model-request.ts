import type { ModelWork } from "./endpoints.ts";
import type { GatewayRequest } from "./gateway-request.ts";
import { badField, Refusal } from "./refusal.ts";

/** How much one request may ask for. */
export interface Limits {
  readonly maxBodyBytes: number;
  /** Tokens of one answer; a request that does not say gets as many. */
  readonly maxOutputTokens: number;
}

/** A request to a model, of which all is known that decides its cost. */
export interface ModelRequest {
  readonly model: string;
  readonly fields: Fields;
  /** Written anew from what was read: a name that stands twice would be one thing here, and another at the provider. */
  readonly body: string;
  /** Of each answer; 0 where nothing is written. */
  readonly maxOutputTokens: number;
}

type Fields = Readonly<Record<string, unknown>>;

const mostAnswers = 8;

/** Reads the request, within its limits. Throws a `Refusal` for one that might cost what it does not say. */
export async function readModelRequest(
  request: Pick<GatewayRequest, "headers" | "body">,
  work: ModelWork,
  limits: Limits,
): Promise<ModelRequest> {
  const given = parsed(await readText(request, limits.maxBodyBytes));
  const unknown = Object.keys(given).find((name) => !work.fields.has(name));
  if (unknown !== undefined) {
    const message = `${unknown.slice(0, 64)}: not served here, since it may cost more than tokens`;
    throw new Refusal({ status: 400, code: "unsupported_parameter", message, param: unknown.slice(0, 64) });
  }
  const { model, stream, n, tools } = given;
  if (typeof model !== "string") throw badField("model", "the name of a model");
  if (typeof (stream ?? false) !== "boolean") throw badField("stream", "true or false");
  if (!isCount(n ?? 1, mostAnswers)) throw badField("n", `a whole number from 1 to ${mostAnswers}`);
  checkTools(tools ?? [], work.tools);
  for (const name of ["messages", "input", "instructions", "system"]) {
    checkParts(given[name], { name, parts: work.parts });
  }
  checkReasoning(given.reasoning ?? {});

  const { maximum } = work;
  const said = maximum.filter((name) => (given[name] ?? null) !== null);
  if (said.length > 1) throw badField(said.join(", "), "one of them");
  const [name = maximum[0]] = said;
  if (name === undefined) return { model, fields: given, body: written(given), maxOutputTokens: 0 };
  const maxOutputTokens = given[name] ?? limits.maxOutputTokens;
  if (!isCount(maxOutputTokens, limits.maxOutputTokens)) {
    throw badField(name, `a whole number from 1 to ${limits.maxOutputTokens}, the most that is served here`);
  }
  checkThinking(given.thinking ?? {}, maxOutputTokens);
  const fields = { ...given, [name]: maxOutputTokens };
  return { model, fields, body: written(fields), maxOutputTokens };
}

/** Bytes beyond the limit are read on for a while: a client that is cut off while it sends receives no answer. */
const patience = 4;

/** The text of a body. Throws a `Refusal` for one that is too large, or no text. */
export async function readText(
  { headers, body }: Pick<GatewayRequest, "headers" | "body">,
  maxBytes: number,
): Promise<string> {
  if ((headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new Refusal({
      status: 415,
      code: "unsupported_encoding",
      message: "expected a body without Content-Encoding",
    });
  }
  if (Number(headers.get("content-length") ?? 0) > patience * maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of body ?? []) {
    length += bytes.length;
    if (length > patience * maxBytes) break;
    if (length <= maxBytes) chunks.push(bytes);
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  return decoded(joined(chunks, length));
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function tooLarge(maxBytes: number): Refusal {
  const message = `expected a body of at most ${maxBytes} bytes`;
  return new Refusal({ status: 413, code: "request_too_large", message });
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badField("body", "UTF-8");
  }
}

function written(fields: Fields): string {
  try {
    return JSON.stringify(fields);
  } catch {
    throw badField("body", "JSON that is nested less");
  }
}

function parsed(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badField("body", "JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badField("body", "an object");
  return value as Fields;
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

function checkTools(tools: unknown, served: RegExp): void {
  if (!Array.isArray(tools)) throw badField("tools", "a list");
  for (const [at, tool] of tools.entries()) {
    const type: unknown = tool?.type ?? "custom";
    if (typeof type !== "string" || !served.test(type)) {
      throw badField(`tools.${at}.type`, "a tool that runs at the client");
    }
  }
}

/** Other modes than the standard one may cost more than the tokens say. */
function checkReasoning(reasoning: unknown): void {
  if (typeof reasoning !== "object" || Array.isArray(reasoning)) throw badField("reasoning", "an object");
  const { mode = null } = reasoning as Fields;
  if (mode !== null && mode !== "standard") throw badField("reasoning.mode", '"standard"');
}

/** Between tools a model of Anthropic may think more than the maximum says. */
function checkThinking(thinking: unknown, maxOutputTokens: number): void {
  const { budget_tokens: budget = null } = Object(thinking) as Fields;
  if (budget !== null && !isCount(budget, maxOutputTokens - 1)) {
    throw badField("thinking.budget_tokens", `fewer tokens than the maximum, ${maxOutputTokens}`);
  }
}

/** Fields of a piece in which there may be more of them. */
const holders = ["content", "output", "source", "result"] as const;
/** Deeper than any API has them. */
const deepest = 16;

interface Place {
  readonly name: string;
  /** Types of pieces that are served. */
  readonly parts: RegExp;
  readonly depth?: number;
}

/** Refuses pieces that are not served wherever the API allows one: in a list or alone, in the content of a message or in the answer of a tool. */
function checkParts(value: unknown, { name, parts, depth = 0 }: Place): void {
  if (depth > deepest) throw badField(name, "content that is nested less");
  const check = (inner: unknown, at: string | number) =>
    checkParts(inner, { name: `${name}.${at}`, parts, depth: depth + 1 });
  if (Array.isArray(value)) {
    value.forEach(check);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const part = value as Fields;
  const { type = null, role = null, id = null, audio = null } = part;
  if (role !== null) {
    // A message is no image: as one it would be held for as little.
    if (type !== null && type !== "message") throw badField(`${name}.type`, '"message", or none');
    // What was spoken before, behind an id.
    if (audio !== null) throw badField(`${name}.audio`, "none");
  } else if (type === null ? id !== null : typeof type !== "string" || !parts.test(type)) {
    // OpenAI takes what has an id and nothing else for a reference.
    throw badField(`${name}.type`, "what says how much it holds, such as text or an image");
  }
  for (const holder of holders) check(part[holder], holder);
}
