import type { CallOptions } from "../../call.ts";
import { call, checkPath } from "../../checked-call.ts";
import type { Settings } from "../../options.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminUsage,
  adminUsage,
  type UsageListAnswer,
  type UsageListQuery,
  type UsageSum,
  type UsageSumsAnswer,
  type UsageSumsQuery,
  usageListAnswer,
  usageListQuery,
  usageSumsAnswer,
  usageSumsQuery,
} from "../contract/usage.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";
import { createUsageFeed, type UsageFeed } from "./usage-feed.ts";

/** Sums of usage, exact and as of the moment: what is not settled yet is in them. */
export interface UsageSums {
  /** A part of the sums, and in `next` the `cursor` of the one after. Retried. */
  list(query: UsageSumsQuery, options?: CallOptions): Promise<UsageSumsAnswer>;
  /** Sum after sum; each part is fetched when it is needed. */
  all(query: UsageSumsQuery, options?: CallOptions): AsyncGenerator<UsageSum, void, undefined>;
}

/** The usage of an organisation, the newest first. */
export interface AdminUsages extends Listing<UsageListQuery, UsageListAnswer, AdminUsage> {
  readonly sums: UsageSums;
  /** Reports as they are taken and settled: an async iterator that resumes by itself. */
  readonly feed: UsageFeed;
  /** The report with this ID; 404 `usage_unknown` where there is none. Retried. */
  get(usageId: string, options?: CallOptions): Promise<AdminUsage>;
}

export function createAdminUsages(
  transport: Transport,
  settings: () => Settings,
  organization_id: string,
): AdminUsages {
  const params = { organization_id };
  return {
    ...createListing(transport, params, {
      endpoint: adminEndpoints.usageList,
      query: usageListQuery,
      answer: usageListAnswer,
      itemsOf: ({ usage }) => usage,
    }),
    sums: createListing(transport, params, {
      endpoint: adminEndpoints.usageSums,
      query: usageSumsQuery,
      answer: usageSumsAnswer,
      itemsOf: ({ sums }) => sums,
    }),
    feed: createUsageFeed(settings, organization_id),
    async get(usage_id, options) {
      const endpoint = adminEndpoints.usageRead;
      const path = checkPath(endpoint, { ...params, usage_id });
      return call(transport, endpoint, adminUsage, { params: path }, options);
    },
  };
}
