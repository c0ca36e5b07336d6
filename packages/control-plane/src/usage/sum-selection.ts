import type { UsageSumsBy } from "@creditgate/client/admin";

/** Which sums, and from which on. */
export interface SumSelection {
  readonly orgId: bigint;
  readonly by: UsageSumsBy;
  /** Whole days; by hour, whole hours. */
  readonly from: Date;
  readonly to: Date;
  readonly customerId: string | undefined;
  readonly agentId: string | undefined;
  readonly indicator: string | undefined;
  readonly currency: string | undefined;
  /** Only what comes after; of an hour or a day its beginning. */
  readonly after: readonly string[] | undefined;
  /** Of what is summed by, at most; each has all its currencies. */
  readonly limit: number;
}

export interface Sum {
  /** The beginning of the hour or the day, the agent, the agent and the indicator, or the customer. */
  readonly key: readonly string[];
  /** Empty where it is not in CREDITS. */
  readonly currency: string;
  readonly events: bigint;
  /** Micro-credits as text: a sum may be more than a column of amounts holds. */
  readonly credits: string;
}

export function dayName(at: Date): string {
  return at.toISOString().slice(0, 10);
}
