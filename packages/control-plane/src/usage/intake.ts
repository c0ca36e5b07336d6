import { setTimeout } from "node:timers/promises";
import type { UsageReportRequest } from "@creditgate/client";
import { mayBeSame, namedBudgets, storedKeys } from "../budgets/reported.ts";
import type { Database } from "../database/connection.ts";
import type { FairShare } from "../database/fair-share.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { timedId } from "../database/timed-id.ts";
import { type Catalogue, createCatalogue } from "../pricing/catalogue.ts";
import { type DatedTerms, type Terms, termsAt } from "../pricing/terms.ts";
import type { Clock } from "../time/clock.ts";
import { findUsage, insertUsage, type StoredUsage, sizeOfUsage, type UsageEvent } from "./events.ts";
import { priceUsage, type Unpriced } from "./price.ts";
import { readPace } from "./settlement-pace.ts";

export interface UsageIntakeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly settlementDelayMs: number;
  /** Each organisation's part of the database, for what a report refers to. */
  readonly share: FairShare;
  /** Called when usage has been stored for the first time, and when it is due. */
  readonly onAccepted: (dueAt: Date) => void;
  /** Measures how long a price is remembered. @default performance */
  readonly elapsed?: Clock;
}

interface IncomingUsage {
  readonly orgId: bigint;
  readonly report: UsageReportRequest;
  readonly idempotencyKey: string | undefined;
  /** Distinguishes another report under the same key, but for its budgets. */
  readonly hash: string;
}

export interface AcceptedUsage {
  readonly accepted: true;
  readonly usageId: string;
  /** What it costs, as stored when it was accepted first. */
  readonly amount: bigint;
  /** `null`: it is not in CREDITS. */
  readonly currency: string | null;
  /** The keys of the budgets that it is stored with. */
  readonly budgets: readonly string[] | undefined;
  /** Whether it was there before, under the same key. */
  readonly isReplay: boolean;
}

type UsageReceipt = AcceptedUsage | RefusedUsage;

export interface RefusedUsage {
  readonly accepted: false;
  readonly reason: UsageRefusal;
  /** The unit that is not known. */
  readonly unit?: string;
}

type UsageRefusal =
  | "customer_unknown"
  | "agent_unknown"
  | "indicator_unknown"
  | "key_reused"
  | "unit_unknown"
  | "out_of_range";

export interface UsageIntake {
  /** Resolves when the usage is durable, or refused; a repeated key gets the receipt of the first. */
  accept(usage: IncomingUsage): Promise<UsageReceipt>;
}

/**
 * Intake gives way to settlement that is behind, the more the later it is. A report costs the database twice as much to
 * settle as to take in, so with equal shares of it balances would be of ever older usage. A rest is at most `restFactor`
 * times what the last statement took.
 */
const lateMs = 500;
const restFactor = 6;
const longestRestMs = 1_000;

/** Takes usage in: priced as of now, stored before it is acknowledged, settled later. */
export function createUsageIntake(options: UsageIntakeOptions): UsageIntake {
  const { database, clock, settlementDelayMs, share, onAccepted, elapsed = performance } = options;
  const catalogue = createCatalogue(database, share, clock, elapsed);
  const pace = readPace({ database, elapsed });
  const events = createGroupCommit<UsageEvent, UsageReceipt>({
    insert: (rows) => insert(database, rows, onAccepted),
    sizeOf: sizeOfUsage,
    ownerOf: ({ org_id }) => org_id,
    rest: (tookMs) => {
      const late = Math.min(1, pace.lateMs() / lateMs);
      return late > 0 ? setTimeout(Math.min(longestRestMs, tookMs * restFactor * late)) : undefined;
    },
  });

  const store = (usage: IncomingUsage, receivedAt: Date, versions: readonly DatedTerms[]) => {
    const { orgId, report, idempotencyKey, hash } = usage;
    const terms = termsAt(versions, receivedAt);
    const priced = terms === undefined ? "unpriced" : priceUsage(terms, report.rawUsage);
    if (priced === "unpriced" || "unit" in priced) return refuse(catalogue, orgId, report, terms, priced);
    return events.write({
      org_id: orgId,
      usage_id: timedId(receivedAt),
      idempotency_key: idempotencyKey ?? null,
      request_hash: hash,
      agent_id: report.agentId,
      indicator: report.indicator,
      customer_id: report.customerId,
      raw_usage: JSON.stringify(report.rawUsage),
      currency: priced.currency,
      amount: priced.amount,
      received_at: receivedAt,
      due_at: new Date(receivedAt.getTime() + settlementDelayMs),
      budgets: namedBudgets(report),
    });
  };

  return {
    // Not async: of a batch each promise is made five hundred times.
    accept(usage) {
      const receivedAt = new Date(clock.now());
      const { agentId, indicator } = usage.report;
      const versions = catalogue.terms({ orgId: usage.orgId, agentId, indicator });
      return versions instanceof Promise
        ? versions.then((found = []) => store(usage, receivedAt, found))
        : store(usage, receivedAt, versions);
    },
  };
}

/** Says why a report has no price. An unknown customer comes first, as in the other requests. */
async function refuse(
  catalogue: Catalogue,
  orgId: bigint,
  { agentId, customerId }: UsageReportRequest,
  terms: Terms | undefined,
  unpriced: Unpriced,
): Promise<UsageReceipt> {
  const reasonOf = async (): Promise<UsageRefusal> => {
    if (!(await catalogue.hasCustomer(orgId, customerId))) return "customer_unknown";
    if (unpriced !== "unpriced") return "unit_unknown";
    if (terms !== undefined) return "out_of_range";
    return (await catalogue.hasAgent(orgId, agentId)) ? "indicator_unknown" : "agent_unknown";
  };
  return { accepted: false, reason: await reasonOf(), ...(unpriced === "unpriced" ? {} : unpriced) };
}

type Receipts = readonly (UsageReceipt | Promise<UsageReceipt>)[];

async function insert(
  database: Database,
  rows: readonly UsageEvent[],
  onAccepted: (dueAt: Date) => void,
): Promise<Receipts> {
  // In one order everywhere: two statements that have keys in common would wait for each other else.
  const added = await insertUsage(database, rows.toSorted(byKey));
  for (const { usage_id, due_at } of rows) if (added.has(usage_id)) onAccepted(due_at);
  // Not awaited here: the others are stored, also where this fails.
  const earlier = findUsage(
    database,
    rows.filter(({ usage_id }) => !added.has(usage_id)),
  );
  return rows.map((row) =>
    added.has(row.usage_id)
      ? receiptOf(
          row,
          row.budgets?.map(({ key }) => key),
          false,
        )
      : earlier.then((find) => replayOf(row, find(row))),
  );
}

/** A row that is not there, and that no other with its key has kept out, has no customer. */
function replayOf(row: UsageEvent, first: StoredUsage | undefined): UsageReceipt {
  if (first === undefined) return { accepted: false, reason: "customer_unknown" };
  if (first.request_hash !== row.request_hash) return { accepted: false, reason: "key_reused" };
  const stored = storedKeys(first.budgets);
  return mayBeSame(row.budgets, stored)
    ? receiptOf(first, stored, true)
    : { accepted: false, reason: "key_reused" };
}

function receiptOf(
  { usage_id: usageId, amount, currency = null }: Pick<UsageEvent, "usage_id" | "amount" | "currency">,
  budgets: readonly string[] | undefined,
  isReplay: boolean,
): UsageReceipt {
  return { accepted: true, usageId, amount, currency, budgets, isReplay };
}

function byKey(a: UsageEvent, b: UsageEvent): number {
  const [key, other] = [a.idempotency_key ?? "", b.idempotency_key ?? ""];
  if (key === other) return Number(a.org_id - b.org_id);
  return key < other ? -1 : 1;
}
