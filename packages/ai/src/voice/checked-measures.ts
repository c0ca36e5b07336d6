import type { Usage } from "@creditgate/core";
import { checkedUsage, checkInteger, checkNumber, invalidOption } from "@creditgate/core/adapter";
import { type Completion, mostSeconds, type Speech, type Transcription } from "./voice-usage.ts";

/** The bound of a count in one request (API 4.6). */
const mostCount = 1_000_000_000;

/** The measure as it is; throws an `invalid_option` error that names the field. */
export function checkedTranscription(given: Transcription): Transcription {
  // Of usage seconds are whole ones.
  const { seconds, ...origin } = objectOf("stt()", given);
  checkedUsage("stt()", origin);
  checkNumber("stt().seconds", seconds, 0, mostSeconds);
  return given;
}

export function checkedCompletion(given: Completion): Completion {
  const { inputTokens, outputTokens } = checkedUsage("llm()", given);
  checkInteger("llm().inputTokens", inputTokens, 0, mostCount);
  checkInteger("llm().outputTokens", outputTokens, 0, mostCount);
  return given;
}

export function checkedSpeech(given: Speech): Speech {
  checkInteger("tts().characters", checkedUsage("tts()", given).characters, 0, mostCount);
  return given;
}

/** The measures in what a model reports, by what was counted; throws where that is nothing that a call has. */
export function measuresIn(usage: Usage): {
  readonly transcription?: Transcription;
  readonly completion?: Completion;
  readonly speech?: Speech;
} {
  const { provider, model, plan, ...counts } = checkedUsage("usage", usage);
  const { seconds, characters, inputTokens, outputTokens, cachedInputTokens } = counts;
  const origin = { provider, model, plan };
  const hasTokens = inputTokens !== undefined || outputTokens !== undefined;
  if (seconds === undefined && characters === undefined && !hasTokens) {
    invalidOption("usage", "seconds, characters or tokens, which a call is billed by", usage);
  }
  return {
    ...(seconds !== undefined && { transcription: { ...origin, seconds } }),
    ...(hasTokens && {
      completion: {
        ...origin,
        inputTokens: inputTokens ?? 0,
        outputTokens: outputTokens ?? 0,
        cachedInputTokens,
      },
    }),
    ...(characters !== undefined && { speech: { ...origin, characters } }),
  };
}

function objectOf<T>(option: string, given: T): T {
  return typeof given === "object" && given !== null ? given : invalidOption(option, "an object", given);
}
