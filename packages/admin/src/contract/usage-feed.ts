import type { Data } from "@creditgate/client";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { type AdminUsage, hasAgent, needsAgent, usageOf } from "./usage.ts";

const defineEndpoint = tagged("Usage");

export const usageFeedQuery = z
  .strictObject({
    ...usageOf,
    outcome: z
      .enum(["unsettled", "debited", "accrued", "free", "not_credits", "wallet_missing", "out_of_range"])
      .optional(),
  })
  .refine(hasAgent, needsAgent);

/** Which usage a feed contains. */
export type UsageFeedQuery = Data<typeof usageFeedQuery>;

/** An event of the feed. */
export type UsageFeedEvent =
  | {
      /** The feed contains changes from here on; earlier ones are in the list. Also sent when a feed could not be resumed. */
      readonly type: "start";
      /** For `lastEventId`. */
      readonly id: string;
    }
  | {
      /**
       * A report is there and not settled (`taken`), or it is settled. One that is settled before the feed reads it
       * is sent once.
       */
      readonly type: "taken" | "settled";
      readonly id: string;
      readonly usage: AdminUsage;
    };

export const usageFeed = defineEndpoint({
  name: "usageFeed",
  path: `${organization}/usage-feed`,
  kind: "events",
  scope: "read",
  query: usageFeedQuery,
  summary: "Streams usage as it is taken and settled, as server-sent events that can be resumed",
});
