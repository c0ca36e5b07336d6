import { type RawBuilder, sql } from "kysely";
import type { Difference } from "../wallets/difference.ts";

/** A top-up is credits in the currency of its wallet for a price, and no agent's; no other order is without agents. */
export const topUpOrders: RawBuilder<Difference> = sql`
  with told as (
         select orders.org_id, orders.order_id, kind, top_up_currency, count(*) as items, count(agent_id) as agents,
                array_agg(benefit.currency) filter (where benefit.currency is not null) as currencies
           from orders
           left join order_line_items as item using (org_id, order_id)
           left join credit_benefits as benefit using (org_id, order_id, position)
          where kind = 'top_up' or agent_id is null
          group by 1, 2, 3, 4)
  select 'order' as what, org_id as "orgId", order_id::text as subject,
         concat_ws(' ', 'credits in', top_up_currency, 'without an agent') as expected,
         concat_ws(' ', kind, items, agents, currencies::text) as received
    from told
   where kind <> 'top_up' or items <> 1 or agents <> 0 or currencies is distinct from array[top_up_currency]
   order by 2, 3`;

/** A wallet waits with its next top-up while one waits for its payment, and no longer. */
export const waitingTopUps: RawBuilder<Difference> = sql`
  with waiting as (
         select org_id, customer_id, top_up_currency as currency, count(*) as orders
           from orders where status = 'pending' and kind = 'top_up' group by 1, 2, 3),
       armed as (
         select org_id, customer_id, currency, auto_top_up_below, top_up_at from wallets where auto_top_up_below is not null)
  select 'wallet' as what, org_id as "orgId", jsonb_build_array(customer_id, currency)::text as subject,
         coalesce(waiting.orders, 0)::text as expected, coalesce(armed.top_up_at, '-infinity')::text as received
    from armed full join waiting using (org_id, customer_id, currency)
   where coalesce(waiting.orders, 0) > 1
      or (armed.auto_top_up_below is not null and (waiting.orders is not null) <> (armed.top_up_at = 'infinity'))
   order by 2, 3`;
