import { aiSdkReading } from "./ai-sdk-usage.ts";
import { type Fields, fieldsOf, listOf } from "./fields.ts";
import { openAIReading } from "./openai-usage.ts";
import { CountReader, type UsageReading } from "./usage-reading.ts";

/** What an image, a speech or a transcription used: of the request, of the result, and of OpenAI's own answer behind it. */
export function mediaReading(request: Fields, result: Fields): UsageReading | undefined {
  const own = openAIReading(fieldsOf(fieldsOf(result.response)?.body));
  const reported = aiSdkReading(result.usage, {});
  const reader = new CountReader();
  const { text, audio } = request;
  const images = listOf(result.images).length;
  const counted = reader.reading({
    images: images > 0 ? images : undefined,
    seconds: reader.seconds(result, "durationInSeconds"),
    characters: typeof text === "string" && audio === undefined ? charactersOf(text) : undefined,
  });
  if (own === undefined && reported === undefined && counted === undefined) return undefined;
  return {
    usage: { ...own?.usage, ...reported?.usage, ...counted?.usage },
    malformed: [own, reported, counted].flatMap((reading) => reading?.malformed ?? []),
    least: reported?.least ?? own?.least ?? { input: 0, output: 0 },
  };
}

/** Characters as people count them, more or less: an emoji is one. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
