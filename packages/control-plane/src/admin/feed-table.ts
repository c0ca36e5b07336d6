import { type FeedEndpoints, usageFeedQuery } from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type FeedTable = { readonly [Of in keyof FeedEndpoints]: AdminServed & Readers<FeedEndpoints[Of]> };

/** What is told as it happens: for as long as its reader stays, with a turn for each look. */
export const feedTable: FeedTable = {
  usageFeed: { scope: "read", isFile: true, query: { schema: usageFeedQuery } },
};
