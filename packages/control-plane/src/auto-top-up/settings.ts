import type { AutoTopUp } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import { checkedMicroCredits } from "../money/decimal.ts";

interface Columns {
  readonly auto_top_up_below: bigint | null;
  readonly auto_top_up_credits: bigint | null;
  readonly auto_top_up_amount: bigint | null;
  readonly auto_top_up_currency: string | null;
  readonly auto_top_up_most: number | null;
  readonly top_up_at: RawBuilder<Date> | null;
}

const none: Columns = {
  auto_top_up_below: null,
  auto_top_up_credits: null,
  auto_top_up_amount: null,
  auto_top_up_currency: null,
  auto_top_up_most: null,
  top_up_at: null,
};

/** One that waits for its payment stays the only one. To be set under the lock of the wallet. */
const nextOrder = sql<Date>`
  case when exists (select from orders
                     where (orders.org_id, orders.customer_id, top_up_currency)
                         = (wallets.org_id, wallets.customer_id, wallets.currency)
                       and status = 'pending' and orders.kind = 'top_up')
       then timestamptz 'infinity' else timestamptz '-infinity' end`;

/** What the columns of a wallet become; nothing where it is left out. */
export function autoTopUpColumns(autoTopUp: AutoTopUp | null | undefined): Columns | Record<string, never> {
  if (autoTopUp === undefined) return {};
  if (autoTopUp === null) return none;
  const { below, credits, price, maxPerPeriod } = autoTopUp;
  return {
    auto_top_up_below: checkedMicroCredits(below),
    auto_top_up_credits: checkedMicroCredits(credits),
    auto_top_up_amount: BigInt(price.amount),
    auto_top_up_currency: price.currency,
    auto_top_up_most: maxPerPeriod,
    top_up_at: nextOrder,
  };
}

/** As the API answers it; `null` where nothing is ordered. */
export const autoTopUpRecord: RawBuilder<AutoTopUp | null> = sql`
  case when auto_top_up_below is not null then jsonb_build_object(
    'below', trim_scale(auto_top_up_below / 1000000.0), 'credits', trim_scale(auto_top_up_credits / 1000000.0),
    'price', jsonb_build_object('amount', auto_top_up_amount, 'currency', auto_top_up_currency),
    'maxPerPeriod', auto_top_up_most) end`;
