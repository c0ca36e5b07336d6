import { type Endpoint, reads } from "../endpoint.ts";
import type { UsageFeedQuery } from "./contract/usage-feed.ts";

/** What is told as it happens, by server-sent events. */
export interface FeedEndpoints {
  readonly usageFeed: Endpoint<undefined, UsageFeedQuery>;
}

export const feedEndpoints: FeedEndpoints = {
  usageFeed: reads("usageFeed", "/admin/api/organizations/{organization_id}/usage-feed"),
};
