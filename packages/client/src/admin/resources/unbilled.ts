import type { CallOptions } from "../../call.ts";
import { posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import { type PartQuery, partQuery } from "../contract/part.ts";
import {
  type PeriodFailure,
  type PeriodFailuresAnswer,
  periodFailuresAnswer,
  type SettlementFailure,
  type SettlementFailuresAnswer,
  settlementFailuresAnswer,
  type UnbilledUsage,
  type UnbilledUsageAnswer,
  type UnbilledUsageQuery,
  type UsageResettleAnswer,
  type UsageResettleRequest,
  unbilledUsageAnswer,
  unbilledUsageQuery,
  usageResettleAnswer,
  usageResettleRequest,
} from "../contract/unbilled.ts";
import { createListing, type Listing } from "../listing.ts";
import { unbilledEndpoints } from "../unbilled-endpoints.ts";

/** The usage of an organisation that no wallet has paid, by wallet and reason. */
export interface AdminUnbilled extends Listing<UnbilledUsageQuery, UnbilledUsageAnswer, UnbilledUsage> {
  /**
   * Settles usage again that no wallet has paid, or that has failed: each report at most once, at the price of its time. What still has no
   * wallet is left, and settled when there is one. Retried.
   */
  resettle(request: UsageResettleRequest, options?: CallOptions): Promise<UsageResettleAnswer>;
  /** Usage that could not be settled, and why. */
  readonly settlementFailures: Listing<PartQuery, SettlementFailuresAnswer, SettlementFailure>;
  /** Periods that could not be invoiced, and why. */
  readonly periodFailures: Listing<PartQuery, PeriodFailuresAnswer, PeriodFailure>;
}

export function createAdminUnbilled(transport: Transport, organization_id: string): AdminUnbilled {
  const params = { organization_id };
  const post = posting(transport, params);
  return {
    ...createListing(transport, params, {
      endpoint: unbilledEndpoints.unbilledUsageList,
      query: unbilledUsageQuery,
      answer: unbilledUsageAnswer,
      itemsOf: ({ usage }) => usage,
    }),
    resettle: post(unbilledEndpoints.usageResettle, usageResettleRequest, usageResettleAnswer),
    settlementFailures: createListing(transport, params, {
      endpoint: unbilledEndpoints.settlementFailureList,
      query: partQuery,
      answer: settlementFailuresAnswer,
      itemsOf: ({ failures }) => failures,
    }),
    periodFailures: createListing(transport, params, {
      endpoint: unbilledEndpoints.periodFailureList,
      query: partQuery,
      answer: periodFailuresAnswer,
      itemsOf: ({ failures }) => failures,
    }),
  };
}
