import { adviceOn } from "#advice";
import { longestShown } from "./plain-name.ts";

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
    return `${shown(name)}: unknown ${what}${adviceOn(name, Object.keys(known), aliases)}`;
  }
  return undefined;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, longestShown)).slice(1, -1);
}
