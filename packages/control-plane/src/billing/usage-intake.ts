import { randomUUID } from "node:crypto";
import type { UsageReportRequest } from "@creditgate/client";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import { amountOf, type Quantity, whole } from "./pricing.ts";
import { priceFor, termsAt } from "./terms.ts";
import { insertUsage, largestAmount, type UsageEvent } from "./usage-events.ts";

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
  | { readonly accepted: false; readonly reason: UsageRefusal };

export type UsageRefusal =
  | "customer_unknown"
  | "agent_unknown"
  | "indicator_unknown"
  | "key_reused"
  | "out_of_range";

export interface UsageIntake {
  /** Resolves when the usage is durable, or refused; a repeated key gets the receipt of the first. */
  accept(usage: IncomingUsage): Promise<UsageReceipt>;
}

/** Takes usage in: priced as of now, stored before it is acknowledged, settled later. */
export function createUsageIntake(options: UsageIntakeOptions): UsageIntake {
  const { database, clock, settlementDelayMs, onAccepted } = options;
  const catalogue = createCatalogue(database, clock);
  const events = createGroupCommit<UsageEvent, UsageReceipt>((rows) => insert(database, rows));

  return {
    async accept({ orgId, report, idempotencyKey, hash }) {
      const receivedAt = new Date(clock.now());
      const priced = await price(catalogue, orgId, report, receivedAt);
      if (typeof priced === "string") return { accepted: false, reason: priced };
      const dueAt = new Date(receivedAt.getTime() + settlementDelayMs);
      const receipt = await events.write({
        org_id: orgId,
        usage_id: randomUUID(),
        idempotency_key: idempotencyKey ?? null,
        request_hash: hash,
        agent_id: report.agentId,
        indicator: report.indicator,
        customer_id: report.customerId,
        raw_usage: JSON.stringify(report.rawUsage),
        ...priced,
        received_at: receivedAt,
        due_at: dueAt,
      });
      if (receipt.accepted) onAccepted(dueAt);
      return receipt;
    },
  };
}

type Priced = Pick<UsageEvent, "currency" | "amount">;

async function price(
  catalogue: Catalogue,
  orgId: bigint,
  report: UsageReportRequest,
  at: Date,
): Promise<Priced | UsageRefusal> {
  const { agentId, customerId, indicator, rawUsage } = report;
  if (!(await catalogue.hasCustomer(orgId, customerId))) return "customer_unknown";
  const versions = await catalogue.terms({ orgId, agentId, indicator });
  const terms = versions === undefined ? undefined : termsAt(versions, at);
  if (terms === undefined) {
    return (await catalogue.hasAgent(orgId, agentId)) ? "indicator_unknown" : "agent_unknown";
  }
  if (terms.billing !== "CREDITS") return { currency: null, amount: 0n };
  const amount = amountOf([{ price: priceFor(terms, rawUsage), quantity: quantityOf(report) }]);
  return amount > largestAmount ? "out_of_range" : { currency: terms.currency, amount };
}

function quantityOf({ rawUsage: { inputTokens = 0, outputTokens = 0 } }: UsageReportRequest): Quantity {
  return {
    perEvent: whole(1),
    perThousandInputTokens: whole(inputTokens),
    perThousandOutputTokens: whole(outputTokens),
  };
}

async function insert(database: Database, rows: readonly UsageEvent[]): Promise<readonly UsageReceipt[]> {
  // In one order everywhere: two statements that have keys in common would wait for each other else.
  const added = await insertUsage(database, rows.toSorted(byKey));
  return Promise.all(
    rows.map((row) => (added.has(row.usage_id) ? accepted(row.usage_id) : earlierReceipt(database, row))),
  );
}

function byKey({ idempotency_key: a }: UsageEvent, { idempotency_key: b }: UsageEvent): number {
  if (a === b) return 0;
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

async function earlierReceipt(database: Database, row: UsageEvent): Promise<UsageReceipt> {
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
