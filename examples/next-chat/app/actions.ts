"use server";

import { agentId, client, currency } from "./billing.ts";
import { gate } from "./gate.ts";
import { type Plan, plans, topUpCredits } from "./prices.ts";
import { remember, signedIn } from "./session.ts";

export async function signIn(form: FormData): Promise<void> {
  await remember(String(form.get("customer")));
}

/** Stands in for a payment, whose own id would be the key. */
export async function topUp(): Promise<void> {
  const customer = await signedIn();
  const top_ups = [{ credit_currency_key: currency, credits: topUpCredits }];
  await client.wallets.topUp({ customer_id: customer, top_ups }, { idempotencyKey: crypto.randomUUID() });
  // An answer that waits for it goes on at once.
  gate.refresh(customer);
}

/**
 * Orders a plan: its credits are pending until its invoice is paid, and a plan that it replaces goes on until then. Resolves what
 * is recommended next.
 */
export async function order(wanted: Plan): Promise<string> {
  const { name, euros, credits } = plans[wanted];
  const customer = await signedIn();
  const { activeOrderId } = await client.customers.subscription(customer, { agentId });
  const lineItem = {
    agentId,
    platformFee: { amount: euros * 100, currency: "EUR" },
    creditBenefits: [{ credit_currency_key: currency, credits }],
  };
  await client.orders.create(
    {
      customerExternalId: customer,
      orderName: name,
      startDate: new Date().toISOString().slice(0, 10),
      lineItems: [lineItem],
    },
    // Two clicks are one order.
    { idempotencyKey: `${customer}:${wanted}:${activeOrderId}` },
  );
  const { recommendedAction } = await client.customers.subscription(customer, { agentId });
  return String(recommendedAction);
}

/** Stands in for a payment: in a real app your payment provider notifies you, and then the invoice is marked. */
export async function completePayment(): Promise<void> {
  const customer = await signedIn();
  const { openInvoiceIds } = await client.customers.subscription(customer, { agentId });
  if (Array.isArray(openInvoiceIds)) for (const id of openInvoiceIds) await client.invoices.markPaid(id);
  gate.refresh(customer);
}
