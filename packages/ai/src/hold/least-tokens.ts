/**
 * About half of the tokens that a text of such characters has where they stand in no words: an estimate by words holds next to nothing for
 * it. What people write has fewer than that, or not many less than twice as many.
 */
export function leastTokens(text: string): number {
  let tokens = 0;
  let before = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      run = isSpace(before) ? run + 1 : 0;
      const isNew = run > 0 && unit !== before && before !== carriageReturn;
      if (isNew || (run > 0 && run % longSpace === 0)) tokens += 0.5;
    } else tokens += isDigit(unit) && !isDigit(before) ? firstDigit : weightOf(unit);
    before = unit;
  }
  return tokens;
}

const carriageReturn = 13;
/** Of one character; tokenizers have tokens for as many. */
const longSpace = 16;
/** Never in one token with what stands before it. */
const firstDigit = 0.75;

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 9 && unit <= carriageReturn);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function weightOf(unit: number): number {
  for (const [last, tokens] of ranges) if (unit <= last) return tokens;
  return rare;
}

/** Of a character of three bytes that tokenizers know as bytes only. */
const rare = 1.4;

/** By the last character of each range. */
const ranges: readonly (readonly [last: number, tokens: number])[] = [
  // Controls; signs and digits, with capitals and small letters between them.
  ...([
    [0x1f, 0.6],
    [0x40, 0.35],
    [0x5a, 0.42],
    [0x60, 0.35],
    [0x7a, 0.25],
    [0x7e, 0.35],
  ] as const),
  // Latin, with accents; rare letters and accents that stand alone.
  ...([
    [0xbf, 0.7],
    [0xff, 0.5],
    [0x17f, 0.7],
    [0x390, 1],
  ] as const),
  // Greek, Cyrillic, Armenian, Hebrew, Arabic, each with rare ones after it.
  ...([
    [0x3ce, 0.55],
    [0x40f, 1],
    [0x451, 0.5],
    [0x52f, 0.95],
    [0x58f, 0.8],
    [0x5cf, 1],
    [0x5ea, 0.5],
    [0x620, 1],
    [0x64a, 0.5],
    [0x7ff, 1],
    [0x8ff, rare],
  ] as const),
  // India; Thai; Lao and Tibetan; Burmese, Georgian; old Korean; Amharic; Khmer.
  ...([
    [0x93f, 0.65],
    [0x97f, 0.75],
    [0xd7f, 0.9],
    [0xdff, 1],
    [0xe3f, 0.6],
    [0xe7f, 0.9],
    [0xfbf, 1],
    [0xfff, rare],
    [0x10bf, 1],
    [0x10ff, 0.7],
    [0x11ff, rare],
    [0x137f, 1.1],
    [0x177f, rare],
    [0x17ff, 0.8],
    [0x1dff, rare],
  ] as const),
  // Vietnamese and old Greek; punctuation; currencies and symbols.
  ...([
    [0x1e9f, 1],
    [0x1eff, 0.65],
    [0x1f7f, 1],
    [0x1fff, rare],
    [0x2009, 1],
    [0x200f, 1.2],
    [0x203f, 0.7],
    [0x233f, 1],
    [0x243f, rare],
    [0x26bf, 1],
    [0x2fff, rare],
  ] as const),
  // Japanese, Chinese, Korean, with rare ones between them.
  ...([
    [0x303f, 0.85],
    [0x30ff, 0.65],
    [0x4dff, rare],
    [0x9fff, 1],
    [0xabff, rare],
    [0xd7a3, 1],
    [0xd7ff, rare],
  ] as const),
  // Halves of pairs, of which those of emoji are known; private ones and forms; wide and narrow ones.
  ...([
    [0xd83b, 1.2],
    [0xd83e, 0.7],
    [0xdbff, 1.2],
    [0xdfff, 0.7],
    [0xfeff, rare],
    [0xff3f, 0.65],
    [0xffff, 1],
  ] as const),
];
