/**
 * Tokens that an estimate by words does not see: of white space that changes or goes on and on, of characters that stand in no word, and of
 * scripts that tokenizers cut into bytes. Text of them would be held for as next to nothing.
 */
export function uncountedTokens(text: string): number {
  let tokens = 0;
  let before = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      run = isSpace(before) ? run + 1 : 0;
      const isNew = run > 0 && unit !== before && before !== carriageReturn;
      if (isNew || (run > 0 && run % longSpace === 0)) tokens++;
    } else tokens += unit < del ? Number(unit < space) : uncommon(unit);
    before = unit;
  }
  return tokens;
}

const space = 0x20;
const del = 0x7f;
const carriageReturn = 13;
/** Of one character; tokenizers have tokens for as many. */
const longSpace = 16;

function isSpace(unit: number): boolean {
  return unit === space || (unit >= 9 && unit <= carriageReturn);
}

/** About how many tokens a character costs beyond the estimate. */
function uncommon(unit: number): number {
  for (const [last, tokens] of blocks) if (unit <= last) return tokens;
  return 0;
}

/** By the last character of each range; what follows the last one costs nothing more. */
const blocks: readonly (readonly [last: number, tokens: number])[] = [
  // Controls and symbols of Latin-1; its letters; other letters of Europe; rare ones, and accents that stand alone.
  ...([
    [0xbf, 1],
    [0xff, 0],
    [0x17f, 1],
    [0x36f, 2],
  ] as const),
  // Greek and Cyrillic; rare ones; Hebrew and Arabic; rare ones; India; rare ones; Thai; rare ones, old Korean.
  ...([
    [0x45f, 0],
    [0x58f, 2],
    [0x6ff, 0.25],
    [0x8ff, 2],
    [0xd7f, 0.5],
    [0xdff, 2],
    [0xe7f, 0.5],
    [0x1dff, 2],
  ] as const),
  // Vietnamese and old Greek; spaces; joiners; punctuation; joiners; punctuation and currencies; symbols.
  ...([
    [0x1fff, 1],
    [0x200a, 1],
    [0x200f, 2],
    [0x2027, 0],
    [0x202f, 2],
    [0x20cf, 0],
    [0x2fff, 2],
  ] as const),
  // Chinese, Japanese and Korean, with rare ones between them.
  ...([
    [0x31ff, 0],
    [0x4dff, 2],
    [0x9fff, 0],
    [0xabff, 2],
    [0xd7a3, 0],
    [0xd7ff, 2],
  ] as const),
  // First halves of pairs, of which those of emoji are known; second halves; private ones and forms; wide and narrow ones.
  ...([
    [0xd83b, 3],
    [0xd83e, 0],
    [0xdbff, 3],
    [0xdfff, 0],
    [0xfeff, 2],
    [0xffef, 0],
    [0xffff, 2],
  ] as const),
];
