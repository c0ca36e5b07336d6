import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { partFields, partOf, spanFields } from "./part.ts";
import { adminWallet } from "./wallet.ts";

const defineEndpoint = tagged("Customers and wallets");

/** Why usage was accepted and not paid by a wallet. */
export type RefusalReason = "wallet_missing" | "out_of_range";

const countedFields = {
  count: z.number(),
  /** Whether there are more than that. */
  more: z.boolean(),
};
const counted = record(countedFields);

/** How many there are, up to a number from which on they are not counted. */
export type Counted = Data<typeof counted>;

const attention = record({
  /** Wallets that can pay nothing. */
  exhausted: counted,
  /** Wallets near their end: below their threshold, on their credit line, or in the last tenth of their limit. */
  low: counted,
  /** Reports that no wallet has paid, since there is none in their currency. */
  walletMissing: counted,
  /** Reports that no wallet has paid, since it cannot hold the amount. */
  outOfRange: counted,
  /** Reports that could not be settled. */
  settlementFailures: counted,
  /** Periods that could not be invoiced. */
  periodFailures: counted,
  /** Webhook endpoints that were disabled since they failed. */
  webhooksDisabled: counted,
  /** Events of the last 7 days that were given up. */
  deliveriesGivenUp: counted,
});

/** What an operator should look at. Counted up to 1,000. */
export type Attention = Data<typeof attention>;

const urgency = z.enum(["exhausted", "low"]);

const urgentWallet = z.intersection(
  adminWallet,
  record({ customerName: z.string(), urgency, urgentSince: z.string() }),
);

/** A wallet near its end, or at it. */
export type UrgentWallet = Data<typeof urgentWallet>;

const usageRefusalsAnswer = record({
  from: z.string(),
  to: z.string(),
  refusals: z.array(record({ reason: z.enum(["wallet_missing", "out_of_range"]), ...countedFields })),
});

/** Usage of a span that no wallet has paid, by reason; counted up to 10,000 reports each. */
export type UsageRefusalsAnswer = Data<typeof usageRefusalsAnswer>;

/** What an operator should look at. */
export const attentionEndpoints = {
  /** Usage that no wallet has paid, by reason. @default span the last 30 days */
  refusals: tagged("Usage")({
    name: "usageRefusals",
    path: `${organization}/usage-refusals`,
    scope: "read",
    query: z.strictObject(spanFields),
    answer: usageRefusalsAnswer,
    summary: "Counts usage that no wallet has paid, by reason",
  }),
  /** What an operator should look at. */
  attention: tagged("Organisations")({
    name: "attentionRead",
    path: `${organization}/attention`,
    scope: "read",
    answer: attention,
    summary: "Counts what an operator should look at",
  }),
  /** Wallets near their end, or at it, those that came there last first. */
  urgentWallets: defineEndpoint({
    name: "urgentWalletList",
    path: `${organization}/urgent-wallets`,
    kind: "list",
    scope: "read",
    query: z.strictObject({ ...partFields, urgency: urgency.describe("Can pay nothing, or soon cannot") }),
    answer: partOf({ wallets: z.array(urgentWallet) }),
    summary: "Lists wallets near their end, those that came there last first",
  }),
};
