/** Chance that can be replayed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** From 0 up to `below`, whole. */
  integer(below: number): number;
  pick<T>(from: readonly T[]): T;
}

/** The chance of the `index`-th case of a seed (mulberry32): no case needs those before it. */
export function randomOf(seed: number, index: number): Random {
  let state = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return {
    next,
    integer,
    pick(from) {
      const picked = from[integer(from.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
  };
}
