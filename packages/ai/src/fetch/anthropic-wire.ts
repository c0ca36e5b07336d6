import { jsonOf } from "../call/prompt.ts";
import { anthropicReading } from "../usage/anthropic-usage.ts";
import { type Fields, fieldsOf, listOf } from "../usage/fields.ts";
import { inAndOut, joined, type Piece, type Wire } from "./wire.ts";

export const anthropicWire: Wire = {
  provider: "anthropic",
  path: /\/messages$/,
  totals: inAndOut,
  answer: (body) => ({
    usage: anthropicReading({ usage: body.usage }),
    final: true,
    model: body.model,
    text: joined(listOf(body.content).flatMap((part) => writtenIn(fieldsOf(part) ?? {}))),
    failed: body.type === "error",
  }),
  events: reader,
};

/** Counts come twice, from the beginning each time, and the later ones may be null: they replace, they do not add. */
function reader(): (event: Fields) => Piece {
  let usage: Fields = {};
  const merge = (counts: unknown) => {
    const reported = Object.entries(fieldsOf(counts) ?? {}).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(reported) };
    return anthropicReading(usage);
  };
  return (event) => {
    const { type } = event;
    if (type === "message_start") {
      const message = fieldsOf(event.message);
      return { usage: merge(message?.usage), model: message?.model };
    }
    // Its output is the whole of it; that of the start is a beginning.
    if (type === "message_delta") return { usage: merge(event.usage), final: true };
    if (type === "content_block_start")
      return { text: joined(writtenIn(fieldsOf(event.content_block) ?? {})) };
    if (type === "content_block_delta") return { text: joined(writtenIn(fieldsOf(event.delta) ?? {})) };
    return { failed: type === "error", last: type === "message_stop" };
  };
}

function writtenIn({ name, text, thinking, partial_json, input }: Fields): readonly unknown[] {
  const isEmpty = input === undefined || Object.keys(fieldsOf(input) ?? {}).length === 0;
  return [name, text, thinking, partial_json, isEmpty ? "" : jsonOf(input)];
}
