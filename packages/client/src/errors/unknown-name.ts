import { nearestName as nearest } from "#nearest-name";
import { longestShown, plainName } from "./plain-name.ts";

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
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name) || Reflect.get(given, name) === undefined) continue;
    const near = aliases?.get(plainName(name)) ?? nearestName(name, Object.keys(known));
    const advice =
      near === undefined ? `expected one of ${Object.keys(known).join(", ")}` : `did you mean "${near}"?`;
    return `${shown(name)}: unknown ${what}; ${advice}`;
  }
  return undefined;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, longestShown)).slice(1, -1);
}

/**
 * The known name that takes the fewest letters to get to; `undefined` if none is near, and in a bundle for Workers. A function of
 * its own: published types must not name an import of this package alone.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return nearest(name, known);
}
