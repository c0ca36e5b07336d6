import type { CallOptions } from "../../call.ts";
import { call } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type Attention,
  attention,
  type UrgentWallet,
  type UrgentWalletListAnswer,
  type UrgentWalletListQuery,
  type UsageRefusalsAnswer,
  urgentWalletListAnswer,
  urgentWalletListQuery,
  usageRefusalsAnswer,
  usageRefusalsQuery,
} from "../contract/attention.ts";
import type { SpanQuery } from "../contract/part.ts";
import {
  type SettlementAgesAnswer,
  type SettlementState,
  settlementAgesAnswer,
  settlementState,
} from "../contract/settlement.ts";
import {
  type UsageSeriesAnswer,
  type UsageSeriesQuery,
  usageSeriesAnswer,
  usageSeriesQuery,
} from "../contract/usage-series.ts";
import { createListing } from "../listing.ts";
import { overviewEndpoints } from "../overview-endpoints.ts";

/** Wallets near their end, or at it, those that came there last first. */
export interface UrgentWallets {
  /** A part of them, and in `next` the `cursor` of the one after. Retried. */
  list(query: UrgentWalletListQuery, options?: CallOptions): Promise<UrgentWalletListAnswer>;
  /** Wallet after wallet; each part is fetched when it is needed. */
  all(query: UrgentWalletListQuery, options?: CallOptions): AsyncGenerator<UrgentWallet, void, undefined>;
}

/** How an organisation is, at a glance. All of it is retried. */
export interface AdminOverview {
  /** Usage over time, by the agents or customers that used most. */
  usage(query: UsageSeriesQuery, options?: CallOptions): Promise<UsageSeriesAnswer>;
  /** Usage that no wallet has paid, by reason. @default span the last 30 days */
  refusals(span?: SpanQuery, options?: CallOptions): Promise<UsageRefusalsAnswer>;
  /** What an operator should look at. */
  attention(options?: CallOptions): Promise<Attention>;
  readonly urgentWallets: UrgentWallets;
  /** What is accepted and not settled yet. */
  settlement(options?: CallOptions): Promise<SettlementState>;
  /** How long settlement took in the last 24 hours. */
  settlementAges(options?: CallOptions): Promise<SettlementAgesAnswer>;
}

export function createAdminOverview(transport: Transport, organization_id: string): AdminOverview {
  const params = { organization_id };
  return {
    async usage(query, options) {
      const endpoint = overviewEndpoints.usageSeries;
      const checked = Object.fromEntries(Object.entries(checkInput(endpoint, usageSeriesQuery, query)));
      return call(transport, endpoint, usageSeriesAnswer, { params, query: checked }, options);
    },
    async refusals(span = {}, options) {
      const endpoint = overviewEndpoints.usageRefusals;
      const query = Object.fromEntries(Object.entries(checkInput(endpoint, usageRefusalsQuery, span)));
      return call(transport, endpoint, usageRefusalsAnswer, { params, query }, options);
    },
    attention: (options) => call(transport, overviewEndpoints.attentionRead, attention, { params }, options),
    urgentWallets: createListing(transport, params, {
      endpoint: overviewEndpoints.urgentWalletList,
      query: urgentWalletListQuery,
      answer: urgentWalletListAnswer,
      itemsOf: ({ wallets }) => wallets,
    }),
    settlement: (options) =>
      call(transport, overviewEndpoints.settlementState, settlementState, { params }, options),
    settlementAges: (options) =>
      call(transport, overviewEndpoints.settlementAges, settlementAgesAnswer, { params }, options),
  };
}
