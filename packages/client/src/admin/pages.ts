/** A part of a list. One that is shorter than its limit is the last. */
export interface Part<Item> {
  readonly items: readonly Item[];
  /** None where the service answers the whole list at once. */
  readonly limit?: number | undefined;
}

/** Item after item, from page 1 on; each page is fetched when it is needed. */
export async function* pageByPage<Item>(
  fetchPage: (page: number) => Promise<Part<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page++) {
    const { items, limit } = await fetchPage(page);
    yield* items;
    if (limit === undefined || items.length < limit) return;
  }
}

/** All items of a list that is short as a rule. */
export async function everyPage<Answer extends Pick<Part<unknown>, "limit">, Item>(
  fetchPage: (query: { readonly page: number }) => Promise<Answer>,
  itemsOf: (answer: Answer) => readonly Item[],
): Promise<readonly Item[]> {
  const items: Item[] = [];
  const pages = pageByPage(async (page) => {
    const answer = await fetchPage({ page });
    return { items: itemsOf(answer), limit: answer.limit };
  });
  for await (const item of pages) items.push(item);
  return items;
}

/** Item after item, the newest first. What is added meanwhile is not seen, and moves nothing. */
export async function* newestFirst<Item>(
  fetchOlder: (before: number | undefined) => Promise<Part<Item>>,
  numberOf: (item: Item) => number,
): AsyncGenerator<Item, void, undefined> {
  for (let before: number | undefined; ; ) {
    const { items, limit } = await fetchOlder(before);
    yield* items;
    const last = items.at(-1);
    if (last === undefined || limit === undefined || items.length < limit) return;
    before = numberOf(last);
  }
}
