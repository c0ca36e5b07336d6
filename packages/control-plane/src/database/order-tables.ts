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
    expires_in_days: Generated<number | null>;
    every: Generated<AllowancePeriod | null>;
    rollover: Generated<bigint | null>;
  };
  invoices: InvoicesTable;
  credit_notes: CreditNotesTable;
  issuers: IssuersTable;
  credit_note_credits: {
    org_id: bigint;
    credit_note_id: string;
    currency: string;
    amount: bigint;
  };
}

/** How often credits recur. */
export type AllowancePeriod = "day" | "week" | "month";

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
  /** Given by the database, without gaps. */
  number: ColumnType<bigint, never, never>;
  /** Written down by the database as it is numbered, as are the four below; `null` where no issuer was set. */
  issuer_version: ColumnType<number | null, never, never>;
  bill_to: ColumnType<BillTo, never, never>;
  /** By their keys. */
  names: ColumnType<DocumentNames, never, never>;
  /** What of the amount is tax. */
  taxes: ColumnType<readonly WrittenTax[] | null, never, never>;
  tax_amount: ColumnType<bigint | null, never, never>;
  /** JSON text on its way in: the spans of a period that had a price each. */
  parts: ColumnType<readonly WrittenPart[] | null, string | null | undefined, never>;
}

/** The customer as it was when the invoice was numbered. */
export interface BillTo {
  readonly name: string;
  readonly addressLines: readonly string[];
  readonly city: string | null;
  readonly country: string | null;
  readonly taxId: string | null;
}

/** What agents and credits were called when the invoice was numbered. */
export interface DocumentNames {
  readonly agents: Readonly<Record<string, string>>;
  readonly currencies: Readonly<Record<string, string>>;
}

/** A tax, with its part of an amount in minor units, as text. */
export interface WrittenTax {
  readonly name: string;
  readonly basisPoints: number;
  readonly amount: string;
}

/** A span of a period in which a credit had one price: micro-credits and minor units, as text. */
interface WrittenPart {
  readonly since: string;
  readonly credits: string;
  readonly unitAmount: string;
  readonly amount: string;
}

/** Against an invoice that is paid. */
interface CreditNotesTable {
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
  /** Written down by the database as it is numbered, as are the two below. */
  issuer_version: ColumnType<number | null, never, never>;
  taxes: ColumnType<readonly WrittenTax[] | null, never, never>;
  tax_amount: ColumnType<bigint | null, never, never>;
}

/** Who issues documents, from an instant on. A version is never changed. */
export interface IssuersTable {
  org_id: bigint;
  version: number;
  valid_from: Date;
  legal_name: string;
  address: string[];
  tax_id: string | null;
  /** JSON text on its way in. */
  taxes: ColumnType<readonly { readonly name: string; readonly basisPoints: number }[], string, never>;
  footer: string | null;
  payment_terms: string | null;
  time_zone: string;
  /** As an actor of the audit log. */
  set_by: string;
}
