import type { Credit } from "../wallets/top-up.ts";

export interface Money {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

/** What is paid for, and what comes with it. */
export interface Purchase {
  readonly platformFee: Money | undefined;
  readonly creditBenefits: readonly Credit[];
}

export interface NewLineItem extends Purchase {
  readonly agentId: string;
}

export interface NewOrder {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly name: string;
  readonly startDate: string;
  readonly lineItems: readonly NewLineItem[];
}
