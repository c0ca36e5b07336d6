import { estimateTokenCount } from "tokenx";
import type { MeteringOptions } from "./metering-options.ts";

/** Longer pieces cost some tokenizers seconds: 100,000 times "a" takes 4 s at once, and 1 ms in pieces. */
const windowLength = 512;

/** The tokens of a text. Whole texts only: in the chunks of a stream it would find up to twice as many. */
export function estimatedTokens(
  text: string,
  { countTokens }: Pick<MeteringOptions, "countTokens"> = {},
  model?: string,
): number {
  if (text === "") return 0;
  if (countTokens !== undefined) {
    try {
      let tokens = 0;
      for (const window of windowsOf(text)) tokens += countTokens(window, model);
      if (Number.isFinite(tokens) && tokens >= 0) return Math.ceil(tokens);
    } catch {
      // The model has worked: a counter that fails must not make that free.
    }
  }
  return sampledTokens(text, estimateTokenCount);
}

/** The tokens of a text by an estimate, of a long one those of windows at chance places in each part of it: the work is bounded, and no one can know where they are. */
export function sampledTokens(text: string, estimate: (text: string) => number): number {
  if (text.length <= mostRead) return estimate(text);
  const part = text.length / windows;
  let tokens = 0;
  for (let start = 0; start < text.length - 1; start += part) {
    const at = Math.floor(start + Math.random() * (part - windowLength));
    tokens += estimate(text.slice(at, at + windowLength));
  }
  return Math.ceil((tokens * part) / windowLength);
}

/** Characters. */
const mostRead = 131_072;
const windows = 128;

/** The text in pieces of at most 512 characters. */
export function* windowsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + windowLength);
    // Half of a pair is another character.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
