import { textsIn } from "../call/answer-text.ts";
import { WrittenItems } from "../call/written-items.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../usage/fields.ts";
import { openAIReading } from "../usage/openai-usage.ts";
import { CountReader, charactersOf, imagesReading, type UsageReading } from "../usage/usage-reading.ts";
import { inAndOut, inOnly, joined, neither, type Piece, type Wire } from "./wire.ts";

const chat: Wire = {
  provider: "openai",
  path: /\/completions$/,
  totals: inAndOut,
  lastSaysAll: true,
  asking(request) {
    const options = fieldsOf(request.stream_options);
    if (request.stream !== true || options?.include_usage === true) return undefined;
    return { stream_options: { ...options, include_usage: true } };
  },
  answer: (body) => ({
    usage: usageOf(body),
    final: true,
    model: body.model,
    text: joined(listOf(body.choices).flatMap((one) => writtenIn(fieldsOf(one) ?? {}, "message"))),
    failed: hasError(body),
  }),
  events: () => (event) => ({
    usage: usageOf(event),
    final: true,
    model: event.model,
    text: joined(listOf(event.choices).flatMap((one) => writtenIn(fieldsOf(one) ?? {}, "delta"))),
    failed: hasError(event),
    onlyUsage: Array.isArray(event.choices) && event.choices.length === 0 && event.usage != null,
  }),
};

function writtenIn(choice: Fields, name: "message" | "delta"): readonly unknown[] {
  const written = Object.entries(fieldsOf(choice[name]) ?? {}).filter(
    ([field, value]) => typeof value === "string" || writtenFields.has(field),
  );
  return [choice.text, ...written.flatMap(([field, value]) => textsIn(value, field))];
}

/** Other objects in a message repeat its text, or are what the provider has found. */
const writtenFields: ReadonlySet<string> = new Set(["content", "tool_calls", "function_call", "audio"]);

const responses: Wire = {
  provider: "openai",
  path: /\/responses(\/compact)?$/,
  totals: inAndOut,
  lastSaysAll: true,
  answer: (body) => ({ ...ofResponse(body), text: outputOf(body), failed: hasError(body) }),
  events() {
    const items = new WrittenItems();
    return (event) => {
      const { type } = event;
      const response = fieldsOf(event.response);
      return {
        ...(response !== undefined && ofResponse(response)),
        last: type === "response.completed" || type === "response.incomplete",
        text: writtenBy(event, items),
        failed: type === "error" || type === "response.failed",
      };
    };
  },
};

/** Some items come without deltas, such as the commands of a shell. */
function writtenBy({ type, delta, item, output_index, item_id }: Fields, items: WrittenItems): string {
  if (typeof type !== "string") return "";
  const id = output_index ?? item_id ?? fieldsOf(item)?.id;
  if (/\.delta$/.test(type) && !/audio/.test(type)) return items.piece(id, textOf(delta) ?? "");
  if (type === "response.output_item.added") return items.piece(id, joined(textsIn(item)));
  if (type === "response.output_item.done") return items.whole(id, joined(textsIn(item)));
  return "";
}

function ofResponse(response: Fields): Piece {
  return { usage: usageOf(response), final: true, model: response.model };
}

function outputOf({ output }: Fields): string {
  return joined(listOf(output).flatMap((item) => textsIn(item)));
}

const embeddings: Wire = {
  provider: "openai",
  path: /\/embeddings$/,
  totals: inOnly,
  answer: (body) => ({
    usage: usageOf(body),
    final: true,
    model: body.model,
    failed: hasError(body),
  }),
  events: () => () => ({}),
};

const images: Wire = {
  provider: "openai",
  path: /\/images\/(generations|edits|variations)$/,
  totals: neither,
  taken: ({ n }) => imagesReading(n),
  answer: ({ data, usage }) => ({
    usage: openAIReading({ data, usage }) ?? new CountReader().reading({ images: listOf(data).length }),
    final: true,
  }),
  events: () => (event) => ({
    // One that is shown in part is an image too.
    usage: openAIReading({ data: [event], usage: event.usage }),
    final: /\.completed$/.test(String(event.type)),
    failed: hasError(event),
  }),
};

const speech: Wire = {
  provider: "openai",
  path: /\/audio\/speech$/,
  totals: neither,
  taken({ input }) {
    return typeof input === "string"
      ? new CountReader().reading({ characters: charactersOf(input) })
      : undefined;
  },
  events: () => () => ({}),
};

const transcriptions: Wire = {
  provider: "openai",
  path: /\/audio\/(transcriptions|translations)$/,
  totals: neither,
  answer: (body) => ({ usage: openAIReading(body), final: true }),
  events: () => (event) => ({ usage: usageOf(event), final: true, failed: hasError(event) }),
};

/** Most pieces of a stream have none. */
function usageOf({ usage }: Fields): UsageReading | undefined {
  return fieldsOf(usage) && openAIReading({ usage });
}

function hasError({ error, type }: Fields): boolean {
  return fieldsOf(error) !== undefined || type === "error";
}

export const openAIWires: readonly Wire[] = [chat, responses, embeddings, images, speech, transcriptions];
