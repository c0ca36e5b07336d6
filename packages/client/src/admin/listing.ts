import type { z } from "zod";
import type { CallInput, CallOptions } from "../call.ts";
import { call } from "../checked-call.ts";
import { checkInput } from "../contract-check.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Transport } from "../transport.ts";
import type { Part, PartQuery } from "./contract/part.ts";

/** A list that is answered in parts. */
export interface Listing<Query extends PartQuery, Answer extends Part, Item> {
  /** A part of the list, and in `next` the `cursor` of the one after. Retried. */
  list(query?: Query, options?: CallOptions): Promise<Answer>;
  /** Item after item; each part is fetched when it is needed. What is added meanwhile moves nothing. */
  all(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}

interface ListingTerms<Query, Answer, Item> {
  readonly endpoint: Endpoint<undefined, Query>;
  readonly query: z.ZodType<Query>;
  readonly answer: z.ZodType<Answer>;
  readonly itemsOf: (answer: Answer) => readonly Item[];
}

export function createListing<Query extends PartQuery, Answer extends Part, Item>(
  transport: Transport,
  params: CallInput["params"],
  { endpoint, query: schema, answer, itemsOf }: ListingTerms<Query, Answer, Item>,
): Listing<Query, Answer, Item> {
  const read = (query: CallInput["query"], options?: CallOptions) =>
    call(transport, endpoint, answer, { params, query }, options);
  const checked = (query: Query | undefined): CallInput["query"] =>
    query === undefined ? {} : Object.fromEntries(Object.entries(checkInput(endpoint, schema, query)));
  return {
    list: async (query, options) => read(checked(query), options),
    async *all(query, options) {
      const filter = checked(query);
      let cursor = query?.cursor;
      do {
        const part = await read({ ...filter, cursor }, options);
        yield* itemsOf(part);
        cursor = part.next ?? undefined;
      } while (cursor !== undefined);
    },
  };
}

/** All of what is listed. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
