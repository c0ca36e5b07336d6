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
  return sampledTokens([text], estimateTokenCount, windowsPerAnswer);
}

const windowsPerAnswer = 128;
/** Characters that are read in full, for each window. */
const mostRead = 1_024;

/**
 * The tokens of texts by an estimate, of long ones those of windows at chance places in each part of them: the work is bounded, and no one
 * can know where they are.
 */
export function sampledTokens(
  texts: readonly string[],
  estimate: (text: string) => number,
  windows: number,
): number {
  const length = texts.reduce((sum, text) => sum + text.length + 1, -1);
  if (length <= windows * mostRead) return estimate(texts.join("\n"));
  const part = length / windows;
  let tokens = 0;
  let [index, begin] = [0, 0];
  for (let window = 0; window < windows; window++) {
    const at = Math.floor(window * part + Math.random() * (part - windowLength));
    for (let text = texts[index] ?? ""; at > begin + text.length; text = texts[index] ?? "") {
      begin += text.length + 1;
      index++;
    }
    tokens += estimate(windowAt(texts, index, at - begin));
  }
  return Math.ceil((tokens * part) / windowLength);
}

/** So many characters from that place of the text at this index on, and of those behind it. */
function windowAt(texts: readonly string[], index: number, at: number): string {
  let window = (texts[index] ?? "").slice(at, at + windowLength);
  for (let next = index + 1; window.length < windowLength && next < texts.length; next++)
    window += `\n${texts[next]?.slice(0, windowLength - window.length - 1)}`;
  return window;
}

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
