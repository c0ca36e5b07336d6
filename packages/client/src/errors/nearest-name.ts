import { plainName } from "./plain-name.ts";

/** The known name that takes the fewest letters to get to; `undefined` if none is near. Case and `_` or `-` do not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const letters = plainName(name);
  // A third of a name may be wrong: beyond that, what is near is chance.
  let least = Math.floor(letters.length / 3) + 1;
  let nearest: string | undefined;
  for (const candidate of known) {
    const steps = distance(letters, plainName(candidate), least);
    if (steps >= least) continue;
    least = steps;
    nearest = candidate;
  }
  return nearest;
}

const shortestBeginning = 3;

/** Levenshtein's: letters to insert, drop or replace; `limit` if it is that or more. A beginning of a name is near to it. */
function distance(from: string, to: string, limit: number): number {
  if (from.length >= shortestBeginning && from !== to && to.startsWith(from)) return 1;
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [at, other] of Array.from(to).entries()) {
      const [diagonal = 0, above = 0] = row.slice(at, at + 2);
      next.push(Math.min(diagonal + (letter === other ? 0 : 1), above + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(limit, row[to.length] ?? limit);
}
