import { jsonOf } from "../call/prompt.ts";
import { type Fields, fieldsOf, listOf } from "../usage/fields.ts";
import { geminiReading } from "../usage/gemini-usage.ts";
import { CountReader, imagesReading } from "../usage/usage-reading.ts";
import { inAndOut, inOnly, joined, neither, type Piece, type Wire } from "./wire.ts";

const generate: Wire = {
  provider: "google",
  path: /:(generateContent|streamGenerateContent)$/,
  totals: inAndOut,
  model: modelOf,
  answer: (body) => ({ ...pieceOf(body), final: true }),
  events: () => pieceOf,
};

/** Counts go from the beginning, so the last chunk has it all. */
function pieceOf(chunk: Fields): Piece {
  const candidates = listOf(chunk.candidates).map((one) => fieldsOf(one) ?? {});
  const parts = candidates.flatMap(({ content }) => listOf(fieldsOf(content)?.parts));
  return {
    usage: geminiReading(fieldsOf(chunk.usageMetadata)),
    final: candidates.some(({ finishReason }) => typeof finishReason === "string"),
    model: chunk.modelVersion,
    text: joined(
      parts.flatMap((part) => {
        const { text, functionCall } = fieldsOf(part) ?? {};
        return [text, jsonOf(fieldsOf(functionCall)?.args)];
      }),
    ),
    failed: fieldsOf(chunk.error) !== undefined,
  };
}

const embed: Wire = {
  provider: "google",
  path: /:(embedContent|batchEmbedContents)$/,
  totals: inOnly,
  model: modelOf,
  answer: (body) => ({ usage: geminiReading(fieldsOf(body.usageMetadata)), final: true }),
  events: () => () => ({}),
};

const images: Wire = {
  provider: "google",
  path: /models\/imagen[^/]*:predict$/,
  totals: neither,
  model: modelOf,
  taken: ({ parameters }) => imagesReading(fieldsOf(parameters)?.sampleCount),
  answer: ({ predictions }) => ({
    usage: new CountReader().reading({ images: listOf(predictions).length }),
    final: true,
  }),
  events: () => () => ({}),
};

function modelOf(path: string): string | undefined {
  return /models\/([^/:]+):/.exec(path)?.[1];
}

export const geminiWires: readonly Wire[] = [generate, embed, images];
