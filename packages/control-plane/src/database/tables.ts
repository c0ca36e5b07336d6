import type { LedgerCause, LimitName, ModelPrice, Rates } from "@creditgate/admin";
import type { ColumnType, Generated, GeneratedAlways, RawBuilder } from "kysely";
import type { AllowancePeriod, OrderTables } from "./order-tables.ts";
import type { PeopleTables } from "./people-tables.ts";
import type { WebhookTables } from "./webhook-tables.ts";

/** The schema as Kysely sees it; the migrations are what makes it. Amounts are micro-credits. */
export interface Tables extends OrderTables, PeopleTables, PriceTables, VoiceTables, WebhookTables {
  creditgate_migrations: { version: number; name: string; applied_at: Generated<Date> };
  organizations: {
    org_id: GeneratedAlways<bigint>;
    name: string;
    billing_period: BillingPeriod | null;
    billing_anchor: number | null;
    time_zone: string | null;
    low_threshold: Generated<bigint | null>;
    usage_kept_months: Generated<number | null>;
    answers_kept_months: Generated<number | null>;
    audit_kept_months: Generated<number | null>;
    ledger_kept_months: Generated<number | null>;
    /** JSON text on its way in. */
    limits: ColumnType<OwnLimits, string | undefined, string>;
    created_at: Generated<Date>;
  };
  api_keys: {
    org_id: bigint;
    key_id: Generated<string>;
    key_lookup: string;
    key_hash: string;
    name: Generated<string>;
    scopes: Generated<string[]>;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    created_at: Generated<Date>;
    /** As an actor of the audit log. */
    created_by: Generated<string | null>;
  };
  currencies: {
    org_id: bigint;
    currency: string;
    name: string | null;
    unit_amount: string | null;
    unit_currency: string | null;
    created_at: Generated<Date>;
  };
  period_failures: {
    org_id: bigint;
    customer_id: string | null;
    currency: string | null;
    period_end: Date | null;
    message: string;
    failed_at: Date;
  };
  audit_log: {
    audit_id: Generated<bigint>;
    /** 0: of none. */
    org_id: bigint;
    actor: string;
    action: string;
    /** JSON text on its way in. */
    subject: ColumnType<unknown, string, never>;
    before: ColumnType<unknown, string | null, never>;
    after: ColumnType<unknown, string | null, never>;
    at: Date;
  };
  agents: {
    org_id: bigint;
    agent_id: string;
    external_id: string;
    name: string;
    description: string | null;
    type: string | null;
    created_at: Generated<Date>;
    /** The administrator who has changed it last. */
    edited_by: Generated<string | null>;
  };
  customers: {
    org_id: bigint;
    external_id: string;
    name: string;
    email: string | null;
    country: string | null;
    city: string | null;
    created_at: Generated<Date>;
    erased_at: Generated<Date | null>;
    /** Lines, for invoices. */
    address: Generated<string[] | null>;
    tax_id: Generated<string | null>;
    locale: Generated<string | null>;
  };
  wallets: WalletsTable;
  grants: GrantsTable;
  allowances: AllowancesTable;
  budgets: BudgetsTable;
  /** What was debited, by the beginning of a period. */
  budget_sums: {
    org_id: bigint;
    customer_id: string;
    currency: string;
    key: string;
    period: Date;
    /** Decimal text. */
    used: string;
    warned: Generated<number>;
  };
  usage_reports: UsageReportsTable;
  /** Reports that wait to be settled. */
  usage_due: {
    org_id: bigint;
    usage_id: string;
    customer_id: string;
    currency: string | null;
    amount: bigint;
    received_at: Date;
    failed_at: Date | null;
    message: string | null;
    budgets: StoredBudgets | null;
  };
  /** How late settlement was when a worker reported it last. */
  settlement_pace: { id: Generated<number>; late_ms: number; reported_at: Generated<Date> };
  /** Keys that came around the beginning of a month. */
  usage_keys_at_turn: { org_id: bigint; idempotency_key: string; received_at: Date };
  /** Up to where usage is gone. */
  dropped_usage: { until: Date; dropped_at: Date };
  ledger_entries: LedgerEntriesTable;
  /** Wallets that were opened where usage waited for them. */
  wallet_openings: { org_id: bigint; customer_id: string; currency: string };
  /** Keys of answers that were given around the beginning of a month. */
  answer_keys_at_turn: {
    org_id: bigint;
    operation: string;
    idempotency_key: string;
    created_at: Date;
  };
  /** Partitions that are tables of their own now. */
  detached_partitions: {
    name: string;
    parent: string;
    until: Date;
    detached_at: Date;
  };
  gates: GatesTable;
  gate_decisions: GateDecisionsTable;
  gate_wallets: GateWalletsTable;
  idempotent_answers: {
    org_id: bigint;
    operation: string;
    idempotency_key: string;
    request_hash: string;
    status: number | null;
    body: string | null;
    created_at: Date;
  };
}

/** Limits that an operator has set for an organisation. */
export type OwnLimits = Readonly<Partial<Record<LimitName, number>>>;

export type BillingPeriod = "daily" | "weekly" | "monthly";

export interface WalletsTable {
  org_id: bigint;
  customer_id: string;
  currency: string;
  kind: "prepaid" | "postpaid";
  available: bigint;
  pending: bigint;
  overage_used: bigint;
  overage_limit: bigint;
  postpaid_used: bigint;
  postpaid_limit: bigint;
  accrues_from: Generated<Date>;
  low_threshold: Generated<bigint | null>;
  /** Below this many credits, order that number for this price in minor units, that often in a billing period at most. */
  auto_top_up_below: Generated<bigint | null>;
  auto_top_up_credits: Generated<bigint | null>;
  auto_top_up_amount: Generated<bigint | null>;
  auto_top_up_currency: Generated<string | null>;
  auto_top_up_most: Generated<number | null>;
  /** Computed by the database. */
  top_up_due: ColumnType<boolean, never, never>;
  /** From when on an order may be made: infinity while one waits for its payment. */
  top_up_at: ColumnType<never, never, RawBuilder<Date> | Date | null>;
  /** Computed by the database from what the wallet holds. */
  state: ColumnType<WalletState, never, never>;
  /** Computed by the database: whether it is near its end, and since when. */
  urgency: ColumnType<WalletUrgency | null, never, never>;
  urgent_since: ColumnType<Date | null, never, never>;
}

export interface GrantsTable {
  org_id: bigint;
  grant_id: string;
  customer_id: string;
  currency: string;
  source: "promotion" | "purchase";
  priority: number;
  amount: bigint;
  remaining: bigint;
  state: GrantState;
  effective_at: Date;
  expires_at: Date | null;
  order_id: string | null;
  allowance_id: string | null;
}

export interface AllowancesTable {
  org_id: bigint;
  allowance_id: string;
  customer_id: string;
  currency: string;
  credits: bigint;
  rollover: bigint;
  every: AllowancePeriod;
  anchor: number;
  time_zone: string;
  source: "promotion" | "purchase";
  priority: number;
  order_id: string | null;
  /** That of the present period. */
  grant_id: string;
  period: Date;
  /** When the next period begins; `null`: none does. */
  next_at: Date | null;
}

/** `active` is in what the wallet has; `expired` pays only for usage that came late. */
export type GrantState = "scheduled" | "active" | "expired" | "ended";

/** `exhausted` can pay nothing; `low` is below its threshold, on its credit line, or in the last tenth of its limit. */
export type WalletUrgency = "exhausted" | "low";

export type WalletState = "funded" | "overage" | "exhausted";

export type UsageOutcome = "debited" | "accrued" | "free" | "not_credits" | "wallet_missing" | "out_of_range";

export interface UsageReportsTable {
  org_id: bigint;
  usage_id: string;
  idempotency_key: string | null;
  request_hash: string;
  agent_id: string;
  indicator: string;
  customer_id: string;
  /** JSON text on its way in. */
  raw_usage: ColumnType<unknown, string>;
  currency: string | null;
  amount: bigint;
  received_at: Date;
  /** `null`: none, or a version took it that knows none. */
  budgets: StoredBudgets | null;
}

/** The budgets of a report: each with the beginning of the period in which it counts, or `null` where it counts nowhere. */
export type StoredBudgets = readonly (readonly [key: string, period: string | null])[];

export interface BudgetsTable {
  org_id: bigint;
  /** `null`: of each customer that has no budget of this kind. */
  customer_id: string | null;
  currency: string;
  key: string;
  credit_limit: bigint;
  every: BudgetPeriod | null;
  time_zone: string;
  /** `null`: four fifths of the limit. */
  warn_at: bigint | null;
  /** Whether gates hold work back by it, or it only warns. */
  mode: Generated<"enforce" | "warn">;
  begun_at: Date;
}

export type BudgetPeriod = "hour" | "day" | "week" | "month";

/** The amounts are changes, not balances. */
export interface LedgerEntriesTable {
  org_id: bigint;
  customer_id: string;
  currency: string;
  /** Among those of its wallet, without gaps. */
  entry_no: bigint;
  cause: LedgerCause;
  usage_id: string | null;
  top_up_id: string | null;
  invoice_id: string | null;
  credit_note_id: string | null;
  grant_id: string | null;
  reason: string | null;
  available: bigint;
  pending: bigint;
  overage_used: bigint;
  postpaid_used: bigint;
  created_at: Date;
  accrued_at: Date;
  /** What the wallet has after the entry. */
  available_after: bigint;
  pending_after: bigint;
  overage_used_after: bigint;
  postpaid_used_after: bigint;
}

/** Indicators and their prices as Kysely sees them. JSON is text on its way in. */
interface PriceTables {
  unit_prices: {
    org_id: bigint;
    currency: string;
    version: number;
    valid_from: Date;
    unit_amount: string | null;
    unit_currency: string | null;
  };
  indicators: { org_id: bigint; agent_id: string; name: string };
  prices: {
    org_id: bigint;
    agent_id: string;
    indicator: string;
    version: number;
    valid_from: Date;
    billing: string;
    currency: string | null;
    price: ColumnType<Rates, string, never>;
    model_prices: ColumnType<readonly ModelPrice[], string, never>;
    /** As an actor of the audit log. */
    set_by: Generated<string | null>;
    set_at: Generated<Date | null>;
  };
}

/** Voice calls as Kysely sees them. */
interface VoiceTables {
  voice_sessions: {
    org_id: bigint;
    session_id: string;
    agent_id: string;
    customer_id: string;
    opened_at: Date;
    closed_at: Generated<Date | null>;
    usage_id: Generated<string | null>;
    abandoned_at: Generated<Date | null>;
  };
  voice_usage: VoiceUsageTable;
}

/** Which counts there are goes by the kind. */
export interface VoiceUsageTable {
  org_id: bigint;
  track_id: string;
  session_id: string;
  kind: "stt" | "llm" | "tts";
  provider: string | null;
  model: string | null;
  plan: string | null;
  /** Decimal text. */
  audio_minutes: ColumnType<string | null, string | undefined, never>;
  prompt_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  completion_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  cached_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  characters: ColumnType<bigint | null, bigint | undefined, never>;
  received_at: Date;
}

/** Gates that say of themselves how they are. */
interface GatesTable {
  org_id: bigint;
  gate_id: string;
  name: string;
  /** What it said last, as JSON text on its way in. */
  said: ColumnType<string, string>;
  heard_at: Date;
  /** Reports that an operator wants to be sent again. */
  retries: Generated<string[]>;
}

/** How the gates of one name have decided within five minutes. */
interface GateDecisionsTable {
  org_id: bigint;
  at: Date;
  name: string;
  /** Of denials; empty for what was let in. */
  code: string;
  decisions: bigint;
}

/** By which ledgers the gates spend a wallet: a sample of the wallets. */
interface GateWalletsTable {
  org_id: bigint;
  customer_id: string;
  currency: string;
  /** The ID of a process whose ledger is in its memory; of all others `shared` or `guard`. */
  ledger: string;
  first_at: Date;
  last_at: Date;
}
