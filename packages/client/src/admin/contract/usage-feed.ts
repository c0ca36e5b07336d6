import { z } from "zod";
import { type AdminUsage, hasAgent, needsAgent, type UsageOutcomeFilter, usageOf } from "./usage.ts";

/** What has become of usage, or `unsettled`. */
export type UsageFeedOutcome = UsageOutcomeFilter | "debited" | "accrued";

/** Which usage a feed tells of. */
export interface UsageFeedQuery {
  readonly customer_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** With its `agent_id`. */
  readonly indicator?: string | undefined;
  readonly outcome?: UsageFeedOutcome | undefined;
}

/** Parses the query for a feed of usage. */
export const usageFeedQuery: z.ZodType<UsageFeedQuery> = z
  .strictObject({
    ...usageOf,
    outcome: z
      .enum(["unsettled", "debited", "accrued", "free", "not_credits", "wallet_missing", "out_of_range"])
      .optional(),
  })
  .refine(hasAgent, needsAgent);

/** What a feed tells. */
export type UsageFeedEvent =
  | {
      /** What comes from here on is told; what was before is in the list. Also where a feed could not be resumed. */
      readonly type: "start";
      /** For `lastEventId`. */
      readonly id: string;
    }
  | {
      /** A report is there and not settled (`taken`), or it is settled. One that is settled before the feed has looked is told once. */
      readonly type: "taken" | "settled";
      readonly id: string;
      readonly usage: AdminUsage;
    };
