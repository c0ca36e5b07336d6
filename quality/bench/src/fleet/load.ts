import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";

/** How decisions come. */
export interface Load {
  readonly decisions: number;
  /** So many come in one turn of the event loop. */
  readonly inOneTurn: number;
  /** Whether these begin together, or each when the one before has ended. */
  readonly together: boolean;
  /** Between two such turns; milliseconds. @default 0: as soon as all have ended */
  readonly everyMs?: number;
}

/** Resolves when all of them have ended. */
export async function carry(load: Load, decide: (index: number) => Promise<void>): Promise<void> {
  const { decisions, inOneTurn, together, everyMs = 0 } = load;
  for (let first = 0; first < decisions; first += inOneTurn) {
    const next = Math.min(first + inOneTurn, decisions);
    if (together) {
      await Promise.all(Array.from({ length: next - first }, (_, offset) => decide(first + offset)));
    } else for (let index = first; index < next; index++) await decide(index);
    await (everyMs > 0 ? setTimeout(everyMs) : nextTurn());
  }
}
