/** Chance that a seed decides: the same seed, the same numbers, on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number, both ends included. */
  integer(least: number, most: number): number;
  /** True in `share` of all cases. */
  chance(share: number): boolean;
  /** One of them, all equally likely. */
  pick<T>(from: readonly [T, ...T[]]): T;
  /** A sequence of its own: how much of it is drawn changes nothing here. */
  fork(): Random;
}

/** For the option `random`: each pause before a retry is 0 ms long. */
export const noPauses = (): number => 0;

/** Creates a sequence of random numbers (sfc32). Seeds are whole numbers. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = seed >>> 0;
  let c = Math.floor(seed / 2 ** 32) >>> 0;
  let counter = 1;

  function next(): number {
    const mixed = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    return (mixed >>> 0) / 2 ** 32;
  }

  // Neighbouring seeds differ in a bit or two at first.
  for (let round = 0; round < 12; round++) next();

  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: (from) => from[integer(0, from.length - 1)] ?? from[0],
    fork: () => createRandom(integer(0, 2 ** 32 - 1)),
  };
}
