import { client, currency, customer } from "../../billing.ts";

/** What the wallet has. */
export async function GET(): Promise<Response> {
  const { balances } = await client.wallets.balance(customer);
  return Response.json(
    { credits: balances[currency]?.available ?? 0 },
    { headers: { "cache-control": "no-store" } },
  );
}

/** Stands in for a payment. */
export async function POST(): Promise<Response> {
  const top_ups = [{ credit_currency_key: currency, credits: 2 }];
  await client.wallets.topUp({ customer_id: customer, top_ups });
  return GET();
}
