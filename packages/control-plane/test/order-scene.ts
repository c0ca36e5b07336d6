import { randomUUID } from "node:crypto";
import { type Client, createClient, type OrderLineItem } from "@creditgate/client";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller } from "./caller.ts";
import { acme } from "./fixture.ts";

export interface Order {
  readonly orderId: string;
  readonly type: string;
  readonly status: string;
  readonly supersededBy: string | null;
  readonly invoices: readonly { readonly invoiceId: string; readonly status: string }[];
}

/** Acme with a second agent, and the client that its server uses. */
export interface OrderScene {
  readonly plane: TestControlPlane;
  readonly client: Client;
  readonly call: Caller;
  /** Resolves the external ID of a new customer, who has no wallet. */
  newCustomer(): Promise<string>;
  /** Orders the chat, or what the line item says. */
  order(customer: string, item?: Partial<OrderLineItem>, idempotencyKey?: string): Promise<Order>;
  query(statement: string): Promise<unknown>;
  /** The status of each order of a customer, by its ID. */
  statuses(customer: string): Promise<Readonly<Record<string, string>>>;
}

export const fee = { platformFee: { amount: 4900, currency: "EUR" } } as const;

export const withCredits = (credits: number, credit_currency_key = "ai_credits"): Partial<OrderLineItem> => ({
  ...fee,
  creditBenefits: [{ credit_currency_key, credits }],
});

export const invoiceOf = ({ invoices }: Order): string => invoices[0]?.invoiceId ?? "";

export async function openOrderScene(): Promise<OrderScene> {
  const line = { agentId: "line", agent_external_id: "line-1", agent_name: "Line", agent_type: "voice" };
  const plane = await startControlPlane({ fixture: { ...acme, agents: [...(acme.agents ?? []), line] } });
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  return {
    plane,
    client,
    call: caller(plane),
    async newCustomer() {
      const externalId = randomUUID();
      await client.customers.createOrGet({ externalId, name: "Customer" });
      return externalId;
    },
    order: (customerExternalId, item = {}, idempotencyKey) =>
      client.orders.create(
        {
          customerExternalId,
          orderName: "Plan",
          startDate: "2026-02-28",
          lineItems: [{ agentId: "chat", ...item }],
        },
        idempotencyKey === undefined ? {} : { idempotencyKey },
      ) as Promise<Order>,
    async query(statement) {
      const { pool, close } = connect(plane.databaseUrl);
      return pool.query(statement).finally(close);
    },
    async statuses(customer) {
      const { orders } = (await client.customers.orders(customer)) as { orders: Order[] };
      return Object.fromEntries(orders.map(({ orderId, status }) => [orderId, status]));
    },
  };
}
