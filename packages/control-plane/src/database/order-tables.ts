import type { ColumnType } from "kysely";

/** Orders and invoices as Kysely sees them. Fees are minor units of money, credits are micro-credits. */
export interface OrderTables {
  orders: {
    org_id: bigint;
    order_id: string;
    customer_id: string;
    name: string;
    /** Read as text: a day has no time zone. */
    start_date: ColumnType<never, string, never>;
    kind: "plan" | "replacement";
    status: OrderStatus;
    superseded_by: string | null;
    created_at: Date;
    activated_at: Date | null;
    superseded_at: Date | null;
  };
  order_line_items: {
    org_id: bigint;
    order_id: string;
    position: number;
    agent_id: string;
    fee_amount: bigint | null;
    fee_currency: string | null;
  };
  credit_benefits: {
    org_id: bigint;
    order_id: string;
    position: number;
    currency: string;
    amount: bigint;
  };
  invoices: InvoicesTable;
}

export type OrderStatus = "pending" | "active" | "superseded";

export interface InvoicesTable {
  org_id: bigint;
  invoice_id: string;
  customer_id: string;
  order_id: string | null;
  kind: "order" | "period";
  status: "open" | "paid";
  amount: bigint | null;
  currency: string | null;
  credit_currency: string | null;
  credits: bigint | null;
  period_start: Date | null;
  period_end: Date | null;
  created_at: Date;
  paid_at: Date | null;
}
