/** The key of a record of words, if the text is one. */
export function keyOf<Words extends object>(words: Words, text: unknown): (keyof Words & string) | undefined {
  const isKey = (key: unknown): key is keyof Words & string =>
    typeof key === "string" && Object.hasOwn(words, key);
  return isKey(text) ? text : undefined;
}

/** What the address says of a choice, if that is one. */
export function choiceOf<Name extends string, Words extends object>(
  name: Name,
  words: Words,
  value: unknown,
): { [Of in Name]?: keyof Words & string } {
  const key = keyOf(words, value);
  const found: { [Of in Name]?: keyof Words & string } = {};
  if (key !== undefined) found[name] = key;
  return found;
}

/** A text of the address. There 12 is a number, and a name may be one. */
export function textOf<Name extends string>(name: Name, value: unknown): { [Of in Name]?: string } {
  const isText = (typeof value === "string" && value !== "") || typeof value === "number";
  const found: { [Of in Name]?: string } = {};
  if (isText) found[name] = String(value);
  return found;
}

/** A page of ours, and not another site's: one that signs in goes where it was. */
export function isOwnPath(next: unknown): next is string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next);
}

/** The days, the customer and the part of a list, as the addresses of lists have them. */
export function listSearchOf({ customer, from, to, cursor }: Readonly<Record<string, unknown>>) {
  return {
    ...textOf("customer", customer),
    ...dayOf("from", from),
    ...dayOf("to", to),
    ...textOf("cursor", cursor),
  };
}

/** What the search of a page has where its list comes in parts. */
interface PartSearch {
  cursor?: string;
}

/** The search of a page, its filters changed: an empty one is left out, and a change begins at the first part. */
export function filtered<Search extends PartSearch>(
  before: Search,
  change: Readonly<Record<string, string | undefined>>,
): Search {
  const { cursor: _, ...rest } = before;
  const after = Object.entries({ ...rest, ...change } as object);
  return Object.fromEntries(after.filter(([, value]) => value !== undefined && value !== "")) as Search;
}

/** The search of a page at another part of its list; `undefined`: at the first. */
export function atPart<Search extends PartSearch>(before: Search, cursor: string | undefined): Search {
  const { cursor: _, ...rest } = before;
  return { ...rest, ...(cursor && { cursor }) } as Search;
}

/** Days of UTC, as `2026-01-31`; the last one is in it. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Days as the admin API takes them: from an instant on, and before another. */
export function instantsOf({ from, to }: DaySpan): { readonly from?: string; readonly to?: string } {
  return {
    ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString() }),
  };
}

/** A day of an address; nothing for what is none. */
export function dayOf<Name extends string>(name: Name, value: unknown): { [Of in Name]?: string } {
  const found: { [Of in Name]?: string } = {};
  const isDay =
    typeof value === "string" && /^[1-9]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (isDay) found[name] = value;
  return found;
}
