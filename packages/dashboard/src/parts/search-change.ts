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
