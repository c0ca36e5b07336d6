/** Names that may be written, as the keys of an object, so that a type can say that none is missing. */
export type KnownNames = Readonly<Record<string, unknown>>;

/** How {@link unknownName} says it. */
export interface NameWords {
  /** What the names are of. @default "option" */
  readonly what?: string;
  /** Known names by what others call them, in small letters and digits only. */
  readonly aliases?: ReadonlyMap<string, string>;
}

/**
 * What is wrong with the first name that is not known, such as `prise: unknown option; did you mean "price"?`;
 * `undefined` if all are. A name without a value does no harm and is let pass.
 */
export function unknownName(
  given: object,
  known: KnownNames,
  { what = "option", aliases }: NameWords = {},
): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const near = aliases?.get(plainName(name)) ?? nearestName(name, Object.keys(known));
    const advice =
      near === undefined ? `expected one of ${Object.keys(known).join(", ")}` : `did you mean "${near}"?`;
    return `${shown(name)}: unknown ${what}; ${advice}`;
  }
  return undefined;
}

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

const longestShown = 64;

function shown(name: string): string {
  return JSON.stringify(name.slice(0, longestShown)).slice(1, -1);
}

/** Without what people write differently: case, `_` and `-`. */
export function plainName(name: string): string {
  return name
    .slice(0, longestShown)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
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
