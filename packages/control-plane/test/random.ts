/** Chance that a seed repeats: mulberry32. */
export interface Random {
  /** From 0, below `below`. */
  integer(below: number): number;
  pick<const T>(choices: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return { integer, pick: (choices) => choices[integer(choices.length)] ?? choices[0] };
}
