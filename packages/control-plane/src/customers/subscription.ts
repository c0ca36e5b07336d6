import { sql } from "kysely";
import type { Database } from "../database/connection.ts";

type SubscriptionState = "payment_due" | "no_order" | "exhausted" | "active";
type RecommendedAction = "complete_payment" | "create_order" | "upgrade" | "none";

/** The first state that holds, from top to bottom, and what to do about it (API 4.3; decisions/0001 has the table). */
const actions: Readonly<Record<SubscriptionState, RecommendedAction>> = {
  payment_due: "complete_payment",
  no_order: "create_order",
  exhausted: "upgrade",
  active: "none",
};

export interface Subscription {
  readonly state: SubscriptionState;
  readonly recommendedAction: RecommendedAction;
  readonly activeOrderId: string | null;
  readonly pendingOrderId: string | null;
  /** The oldest hundred. */
  readonly openInvoiceIds: readonly string[];
}

interface Facts {
  readonly activeOrderId: string | null;
  readonly pendingOrderId: string | null;
  readonly openInvoiceIds: readonly string[];
  readonly exhausted: boolean;
}

/** The state of a customer for an agent, or over all agents. */
export async function subscriptionOf(
  database: Database,
  orgId: bigint,
  customerId: string,
  agentId: string | undefined,
  at: Date,
): Promise<Subscription> {
  const { exhausted, ...facts } = await factsOf(database, orgId, customerId, agentId ?? null, at);
  const state = stateOf({ exhausted, ...facts });
  return { state, recommendedAction: actions[state], ...facts };
}

function stateOf({ activeOrderId, openInvoiceIds, exhausted }: Facts): SubscriptionState {
  if (openInvoiceIds.length > 0) return "payment_due";
  if (activeOrderId === null) return "no_order";
  return exhausted ? "exhausted" : "active";
}

/**
 * Wallets and period invoices concern an agent when one of its indicators is priced in their currency. A wallet is
 * exhausted when it can pay nothing; so is one that an indicator needs and that is not open.
 */
async function factsOf(
  database: Database,
  orgId: bigint,
  customerId: string,
  agentId: string | null,
  at: Date,
): Promise<Facts> {
  const { rows } = await sql<Facts>`
    with concerned as (
           select order_id, status, created_at from orders
            where org_id = ${orgId} and customer_id = ${customerId} and kind <> 'top_up'
              and (${agentId}::text is null or exists (
                    select from order_line_items as item
                     where item.org_id = orders.org_id and item.order_id = orders.order_id
                       and item.agent_id = ${agentId}))),
         spent as (
           select distinct currency
             from (select distinct on (agent_id, indicator) agent_id, billing, currency from prices
                    where org_id = ${orgId} and valid_from <= ${at}
                    order by agent_id, indicator, valid_from desc, version desc) as in_force
            where billing = 'CREDITS'
              and (agent_id = ${agentId} or (${agentId}::text is null and agent_id in (
                    select item.agent_id from order_line_items as item join concerned using (order_id)
                     where item.org_id = ${orgId} and concerned.status = 'active'))))
    select (select order_id from concerned where status = 'active'
             order by created_at desc, order_id limit 1) as "activeOrderId",
           (select order_id from concerned where status = 'pending'
             order by created_at desc, order_id limit 1) as "pendingOrderId",
           array(select invoice_id::text from invoices
                  where org_id = ${orgId} and customer_id = ${customerId} and status = 'open'
                    and (order_id in (select order_id from concerned where status = 'pending')
                         or (kind = 'period' and (${agentId}::text is null
                                                  or credit_currency in (select currency from spent))))
                  order by created_at, invoice_id limit 100) as "openInvoiceIds",
           exists (select from spent
                     left join wallets on wallets.org_id = ${orgId} and wallets.customer_id = ${customerId}
                                      and wallets.currency = spent.currency
                    where wallets.currency is null or wallets.state = 'exhausted')
             as exhausted`.execute(database);
  const [facts] = rows;
  if (facts === undefined) throw new Error("The facts about a customer are always one row.");
  return facts;
}
