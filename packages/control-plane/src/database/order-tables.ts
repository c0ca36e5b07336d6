import type { ColumnType, Generated } from "kysely";

/** Orders and invoices as Kysely sees them. Fees are minor units of money, credits are micro-credits. */
export interface OrderTables {
  orders: {
    org_id: bigint;
    order_id: string;
    customer_id: string;
    name: string;
    /** Read as text: a day has no time zone. */
    start_date: ColumnType<never, string, never>;
    kind: OrderKind;
    status: OrderStatus;
    superseded_by: string | null;
    created_at: Date;
    activated_at: Date | null;
    superseded_at: Date | null;
    cancelled_at: Generated<Date | null>;
    /** Of the wallet that a top-up is for. */
    top_up_currency: Generated<string | null>;
  };
  order_line_items: {
    org_id: bigint;
    order_id: string;
    position: number;
    /** `null` for a top-up. */
    agent_id: string | null;
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
  credit_notes: CreditNotesTable;
  credit_note_credits: {
    org_id: bigint;
    credit_note_id: string;
    currency: string;
    amount: bigint;
  };
}

export type OrderKind = "plan" | "replacement" | "top_up";

export type OrderStatus = "pending" | "active" | "superseded" | "cancelled";

export interface InvoicesTable {
  org_id: bigint;
  invoice_id: string;
  customer_id: string;
  order_id: string | null;
  kind: "order" | "period";
  status: "open" | "paid" | "void";
  amount: bigint | null;
  currency: string | null;
  credit_currency: string | null;
  credits: bigint | null;
  period_start: Date | null;
  period_end: Date | null;
  created_at: Date;
  paid_at: Date | null;
  voided_at: Generated<Date | null>;
  /** What has become of what the invoice of a period had billed. */
  voided_usage: Generated<"rebilled" | "forgiven" | null>;
  /** By credit notes, in minor units. */
  credited_amount: Generated<bigint>;
  /** Given by the database, without gaps; `null` while an upgrade numbers what was there. */
  number: ColumnType<bigint | null, never, never>;
}

/** Against an invoice that is paid. */
export interface CreditNotesTable {
  org_id: bigint;
  credit_note_id: string;
  invoice_id: string;
  customer_id: string;
  /** What the customer is owed, in minor units; `null` where the invoice is in credits alone. */
  amount: bigint | null;
  currency: string | null;
  reason: string;
  created_at: Date;
  /** Given by the database, without gaps. */
  number: ColumnType<bigint, never, never>;
}
