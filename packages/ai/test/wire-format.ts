/** What the local provider says of every call: 100 tokens read, 40 of them cached; 20 written, 4 of them reasoning. */
export const emitted = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 4 };

/** What the model writes, a piece for each chunk. */
export const pieces: readonly string[] = Array.from({ length: 20 }, (_, index) =>
  // Characters of two, three and four bytes, so that the wire can be cut within one.
  index === 10 ? " ü€👋" : ` word${index}`,
);

export type Wire = "chat" | "responses" | "anthropic" | "gemini";
export const wires: readonly Wire[] = ["chat", "responses", "anthropic", "gemini"];

type Json = Readonly<Record<string, unknown>>;

export interface Format {
  readonly provider: string;
  /** Of the whole answer. */
  body(usage?: Json): Json;
  /** Blocks of the stream: what comes before the text, a block for each piece, what comes after it. */
  before(usage?: Json): readonly Json[];
  piece(text: string): Json;
  after(usage?: Json): readonly Json[];
  readonly usage: Json;
  readonly error: Json;
  /** Whether the blocks are named by their type. */
  readonly isNamed: boolean;
  readonly done?: string;
}

const text = pieces.join("");

const chatUsage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const chatOf = (choices: readonly Json[], rest: Json = {}): Json => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "gpt-5-2025",
  choices,
  ...rest,
});
const chat: Format = {
  provider: "openai",
  usage: chatUsage,
  body: (usage = chatUsage) => ({
    ...chatOf([{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }]),
    object: "chat.completion",
    usage,
  }),
  before: () => [chatOf([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }])],
  piece: (content) => chatOf([{ index: 0, delta: { content }, finish_reason: null }]),
  after: (usage = chatUsage) => [
    chatOf([{ index: 0, delta: {}, finish_reason: "stop" }]),
    chatOf([], { usage }),
  ],
  error: { error: { message: "overloaded", type: "server_error", code: "overloaded" } },
  isNamed: false,
  done: "[DONE]",
};

const responsesUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 120,
};
const responseOf = (status: string, output: readonly Json[], usage: unknown): Json => ({
  id: "r1",
  object: "response",
  created_at: 1,
  model: "gpt-5-2025",
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  output,
  usage,
});
const message = (status: string, written: string): Json => ({
  id: "m1",
  type: "message",
  role: "assistant",
  status,
  content: written === "" ? [] : [{ type: "output_text", text: written, annotations: [] }],
});
const responses: Format = {
  provider: "openai",
  usage: responsesUsage,
  body: (usage = responsesUsage) => responseOf("completed", [message("completed", text)], usage),
  before: () => [
    { type: "response.created", response: responseOf("in_progress", [], null) },
    { type: "response.output_item.added", output_index: 0, item: message("in_progress", "") },
    {
      type: "response.content_part.added",
      item_id: "m1",
      output_index: 0,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    },
  ],
  piece: (delta) => ({
    type: "response.output_text.delta",
    item_id: "m1",
    output_index: 0,
    content_index: 0,
    delta,
    logprobs: [],
  }),
  after: (usage = responsesUsage) => [
    {
      type: "response.output_text.done",
      item_id: "m1",
      output_index: 0,
      content_index: 0,
      text,
      logprobs: [],
    },
    { type: "response.output_item.done", output_index: 0, item: message("completed", text) },
    { type: "response.completed", response: responseOf("completed", [message("completed", text)], usage) },
  ],
  error: {
    type: "error",
    code: "server_error",
    message: "overloaded",
    param: null,
    sequence_number: 9,
    // Where AI SDK 5 looks for it.
    error: { type: "server_error", code: "server_error", message: "overloaded", param: null },
  },
  isNamed: true,
};

const anthropicUsage = {
  input_tokens: 60,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 0,
  output_tokens: 20,
  output_tokens_details: { thinking_tokens: 4 },
};
const messageOf = (content: readonly Json[], usage: unknown, stop: string | null): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-5-2025",
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
});
const anthropic: Format = {
  provider: "anthropic",
  usage: anthropicUsage,
  body: (usage = anthropicUsage) => messageOf([{ type: "text", text }], usage, "end_turn"),
  before: (usage = anthropicUsage) => [
    {
      type: "message_start",
      message: messageOf([], { ...usage, output_tokens: 1, output_tokens_details: null }, null),
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  piece: (written) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: written },
  }),
  after: (usage = anthropicUsage) => [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: {
        output_tokens: usage.output_tokens,
        output_tokens_details: usage.output_tokens_details,
        input_tokens: null,
      },
    },
    { type: "message_stop" },
  ],
  error: { type: "error", error: { type: "overloaded_error", message: "overloaded" } },
  isNamed: true,
};

const geminiUsage = {
  promptTokenCount: 90,
  toolUsePromptTokenCount: 10,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 16,
  thoughtsTokenCount: 4,
  totalTokenCount: 120,
};
const generated = (written: string, rest: Json = {}): Json => ({
  candidates: [{ content: { role: "model", parts: [{ text: written }] }, index: 0, ...rest }],
  modelVersion: "gemini-3-pro",
  responseId: "g1",
});
const gemini: Format = {
  provider: "google",
  usage: geminiUsage,
  body: (usageMetadata = geminiUsage) => ({ ...generated(text, { finishReason: "STOP" }), usageMetadata }),
  before: () => [],
  piece: (written) => generated(written),
  after: (usageMetadata = geminiUsage) => [{ ...generated("", { finishReason: "STOP" }), usageMetadata }],
  error: { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } },
  isNamed: false,
};

export const formats: Readonly<Record<Wire, Format>> = { chat, responses, anthropic, gemini };

/** One block of a stream, as it goes over the wire. */
export function block(format: Format, data: Json): string {
  const name = format.isNamed ? `event: ${data.type}\n` : "";
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

/** The whole stream, in blocks. */
export function blocksOf(format: Format, usage?: Json, texts = pieces): string[] {
  const data = [
    ...format.before(usage),
    ...texts.map((piece) => format.piece(piece)),
    ...format.after(usage),
  ];
  const blocks = data.map((one) => block(format, one));
  return format.done === undefined ? blocks : [...blocks, `data: ${format.done}\n\n`];
}

/** The stream of a chat that calls a tool. */
export function toolBlocks(): string[] {
  const call = { name: "weather", arguments: '{"city":"Rome"}' };
  const delta = { tool_calls: [{ index: 0, id: "t1", type: "function", function: call }] };
  const data = [
    chatOf([{ index: 0, delta, finish_reason: null }]),
    chatOf([{ index: 0, delta: {}, finish_reason: "tool_calls" }]),
    chatOf([], { usage: chatUsage }),
  ];
  return [...data.map((one) => block(chat, one)), "data: [DONE]\n\n"];
}
