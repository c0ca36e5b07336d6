import type { Credit } from "../wallets/top-up.ts";

export interface Money {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

export interface NewLineItem {
  readonly agentId: string;
  readonly platformFee: Money | undefined;
  readonly creditBenefits: readonly Credit[];
}

export interface NewOrder {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly name: string;
  readonly startDate: string;
  readonly lineItems: readonly NewLineItem[];
}
