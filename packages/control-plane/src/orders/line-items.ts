import { groupRows } from "../database/group-rows.ts";
import type { Json } from "../http/json.ts";

/** The benefits of a line item: one row, since an order has thousands. */
export interface BenefitsRow {
  readonly order_id: string;
  readonly position: number;
  /** Currency, and micro-credits as text. */
  readonly benefits: readonly (readonly [currency: string, amount: string])[];
}

export interface LineItemRow {
  readonly order_id: string;
  readonly position: number;
  readonly agent_id: string | null;
  readonly fee_amount: bigint | null;
  readonly fee_currency: string | null;
}

/** The line items of orders by order, each with its benefits. Takes each row once. */
export function lineItemsByOrder(
  items: readonly LineItemRow[],
  benefits: readonly BenefitsRow[],
): ReadonlyMap<string, readonly Json[]> {
  const benefitsOf = new Map(
    benefits.map(({ order_id, position, benefits: own }) => [`${order_id} ${position}`, own]),
  );
  const record = ({ order_id, position, agent_id, fee_amount, fee_currency }: LineItemRow): Json => ({
    agentId: agent_id,
    platformFee: fee_amount === null ? null : { amount: Number(fee_amount), currency: fee_currency },
    creditBenefits: (benefitsOf.get(`${order_id} ${position}`) ?? []).map(
      ([credit_currency_key, amount]) => ({ credit_currency_key, credits: BigInt(amount) }),
    ),
  });
  const byOrder = groupRows(items, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([orderId, own]) => [orderId, own.map(record)]));
}
