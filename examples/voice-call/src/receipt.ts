import type { VoiceBill, VoicePart } from "@creditgate/ai/voice";

/** The bill as lines of text. */
export function receipt({ ending, seconds, parts, credits, unposted }: VoiceBill): readonly string[] {
  return [
    `the call ended: ${ending}, after ${seconds.toFixed(1)} s`,
    ...parts.map((part) => `  ${part.kind}  ${(part.provider ?? "").padEnd(10)}  ${countsOf(part)}`),
    `  bill             ${credits.toFixed(6)} credits`,
    ...(unposted.length > 0
      ? [`  not posted yet   ${unposted.map(({ post }) => post.kind).join(", ")}`]
      : []),
  ];
}

function countsOf(part: VoicePart): string {
  switch (part.kind) {
    case "stt":
      return `${part.audioMinutes} minutes of audio`;
    case "llm":
      return `${part.promptTokens} tokens read, ${part.cachedTokens} of them cached, ${part.completionTokens} written`;
    case "tts":
      return `${part.characters} characters spoken`;
  }
}
