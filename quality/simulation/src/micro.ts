/** Credits, as the gate's surface has them. */
export function fromMicro(micro: number): number {
  return micro / 1e6;
}

/** Micro-credits. Exact for credits that come from `fromMicro()`: amounts are far below 1e15. */
export function toMicro(credits: number): number {
  return Math.round(credits * 1e6);
}
