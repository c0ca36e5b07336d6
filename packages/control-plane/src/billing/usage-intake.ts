import { randomUUID } from "node:crypto";
import type { UsageReportRequest } from "@creditgate/client";
import { type Insertable, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import type { UsageEventsTable } from "../database/tables.ts";
import { maxCredits, microCredits } from "./credits.ts";
import { parseDecimal } from "./decimal.ts";
import { type Price, priceOf } from "./pricing.ts";

export interface UsageIntakeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly settlementDelayMs: number;
  /** Told when usage has been stored, and when it is due. */
  readonly onAccepted: (dueAt: Date) => void;
}

export interface IncomingUsage {
  readonly orgId: bigint;
  readonly report: UsageReportRequest;
  readonly idempotencyKey: string | undefined;
  /** Tells another report that comes under the same key. */
  readonly hash: string;
}

export type UsageReceipt =
  | { readonly accepted: true; readonly usageId: string }
  | {
      readonly accepted: false;
      readonly reason:
        | "customer_unknown"
        | "agent_unknown"
        | "indicator_unknown"
        | "key_reused"
        | "out_of_range";
    };

export interface UsageIntake {
  /** Resolves when the usage is durable, or refused; a repeated key gets the receipt of the first. */
  accept(usage: IncomingUsage): Promise<UsageReceipt>;
}

type UsageRow = Insertable<UsageEventsTable>;

interface Terms {
  readonly customer: boolean;
  readonly agent: boolean;
  readonly billing: string | null;
  readonly currency: string | null;
  readonly perEvent: string | null;
  readonly perThousandInputTokens: string | null;
  readonly perThousandOutputTokens: string | null;
}

const largestAmount = microCredits(maxCredits) ?? 0n;

/** Takes usage in: priced as of now, stored before it is acknowledged, settled later. */
export function createUsageIntake(options: UsageIntakeOptions): UsageIntake {
  const { database, clock, settlementDelayMs, onAccepted } = options;
  const events = createGroupCommit<UsageRow, UsageReceipt>((rows) => insert(database, rows));

  return {
    async accept({ orgId, report, idempotencyKey, hash }) {
      const terms = await termsOf(database, orgId, report);
      if (!terms.customer) return { accepted: false, reason: "customer_unknown" };
      if (!terms.agent) return { accepted: false, reason: "agent_unknown" };
      if (terms.billing === null) return { accepted: false, reason: "indicator_unknown" };
      const inCredits = terms.billing === "CREDITS";
      const amount = inCredits ? priceOf(priceIn(terms), quantityOf(report)) : 0n;
      if (amount > largestAmount) return { accepted: false, reason: "out_of_range" };

      const receivedAt = clock.now();
      const dueAt = new Date(receivedAt + settlementDelayMs);
      const receipt = await events.write({
        org_id: orgId,
        usage_id: randomUUID(),
        idempotency_key: idempotencyKey ?? null,
        request_hash: hash,
        agent_id: report.agentId,
        indicator: report.indicator,
        customer_id: report.customerId,
        raw_usage: JSON.stringify(report.rawUsage),
        currency: inCredits ? terms.currency : null,
        amount,
        received_at: new Date(receivedAt),
        due_at: dueAt,
      });
      if (receipt.accepted) onAccepted(dueAt);
      return receipt;
    },
  };
}

async function insert(database: Database, rows: readonly UsageRow[]): Promise<readonly UsageReceipt[]> {
  const stored = await database
    .insertInto("usage_events")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["org_id", "idempotency_key"]).doNothing())
    .returning("usage_id")
    .execute();
  const added = new Set(stored.map((row) => row.usage_id));
  return Promise.all(
    rows.map((row) => (added.has(row.usage_id) ? accepted(row.usage_id) : earlierReceipt(database, row))),
  );
}

async function earlierReceipt(database: Database, row: UsageRow): Promise<UsageReceipt> {
  const earlier = await database
    .selectFrom("usage_events")
    .select(["usage_id", "request_hash"])
    .where("org_id", "=", row.org_id)
    .where("idempotency_key", "=", row.idempotency_key ?? null)
    .executeTakeFirstOrThrow();
  if (earlier.request_hash !== row.request_hash) return { accepted: false, reason: "key_reused" };
  return accepted(earlier.usage_id);
}

function accepted(usageId: string): UsageReceipt {
  return { accepted: true, usageId };
}

async function termsOf(database: Database, orgId: bigint, report: UsageReportRequest): Promise<Terms> {
  const { rows } = await sql<Terms>`
    select exists (select from customers
                    where org_id = ${orgId} and external_id = ${report.customerId}) as customer,
           exists (select from agents
                    where org_id = ${orgId} and agent_id = ${report.agentId}) as agent,
           billing, currency, per_event as "perEvent",
           per_thousand_input_tokens as "perThousandInputTokens",
           per_thousand_output_tokens as "perThousandOutputTokens"
      from (select) as one
      left join indicators
        on org_id = ${orgId} and agent_id = ${report.agentId} and name = ${report.indicator}`.execute(
    database,
  );
  const [terms] = rows;
  if (terms === undefined) throw new Error("The terms of an indicator are always one row.");
  return terms;
}

function priceIn(terms: Terms): Price {
  const read = (text: string | null) => parseDecimal(text ?? "0") ?? { digits: 0n, scale: 0 };
  return {
    perEvent: read(terms.perEvent),
    perThousandInputTokens: read(terms.perThousandInputTokens),
    perThousandOutputTokens: read(terms.perThousandOutputTokens),
  };
}

function quantityOf({ rawUsage }: UsageReportRequest): { inputTokens: number; outputTokens: number } {
  return { inputTokens: rawUsage.inputTokens ?? 0, outputTokens: rawUsage.outputTokens ?? 0 };
}
