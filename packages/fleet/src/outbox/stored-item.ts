import type { OutboxReport } from "@creditgate/core";
import type { NotedReservation, OpenWork, OutboxEntry } from "@creditgate/core/adapter";
/** Where a report of an outbox is. */
export type ReportState = "queued" | "parked" | "dead" | "delivered";

/** What is known of a report beside its text. */
export interface ReportNote {
  readonly state: ReportState;
  readonly reason?: string | undefined;
  /** It may have been sent, and no answer is known. */
  readonly sending?: boolean | undefined;
  /** In the place of the one that it came with. */
  readonly entry?: OutboxEntry | undefined;
}

/** A report, work in flight or a reservation of credits, as it stands in a store; since when, by the wall clock. */
export type StoredItem =
  | { readonly report: OutboxReport; readonly since: number; readonly note: ReportNote }
  | { readonly work: OpenWork; readonly since: number }
  | { readonly reservation: NotedReservation; readonly since: number };

export function packReport(report: OutboxReport, since: number): string {
  const { id, customerId, agentId, indicator, rawUsage, currency, budgets, entry } = report;
  const { amount } = entry;
  const plain = {
    id,
    customerId,
    agentId,
    indicator,
    rawUsage,
    currency,
    ...(budgets && { budgets }),
    entry: { id: entry.id, amount },
  };
  return JSON.stringify({ report: plain, since });
}

export function packWork(
  { id, customerId, currency, agentId, indicator, budgets, hold }: OpenWork,
  since: number,
): string {
  const work = { id, customerId, currency, agentId, indicator, ...(budgets && { budgets }), hold };
  return JSON.stringify({ work, since });
}

export function packReservation(
  { account, process, service, customerId, currency, budget }: NotedReservation,
  since: number,
): string {
  const reservation = {
    account,
    process,
    service,
    customerId,
    currency,
    ...(budget !== undefined && { budget }),
  };
  return JSON.stringify({ reservation, since });
}

/** Without an entry that is `written` in the text already. */
export function packNote({ state, reason, sending, entry }: ReportNote, written?: OutboxEntry): string {
  const isOther = entry?.id !== written?.id || entry?.amount !== written?.amount;
  return JSON.stringify({
    state,
    reason,
    ...(sending === true && { sending }),
    ...(entry !== undefined && isOther && { entry: { id: entry.id, amount: entry.amount } }),
  });
}

/** The boundary at which what a store gives becomes an item. Throws a `TypeError` for what none of us has written. */
export function parseItem(text: string, note: string): StoredItem {
  const {
    report,
    work,
    reservation,
    since = 0,
  } = parse(text) as {
    readonly report?: OutboxReport;
    readonly work?: OpenWork;
    readonly reservation?: NotedReservation;
    readonly since?: number;
  };
  if (isNamed(work)) return { work, since };
  if (typeof reservation?.account === "string") return { reservation, since };
  if (!isNamed(report) || !isNamed(report.entry)) throw new TypeError(`the outbox holds no item: ${text}`);
  const known = (note === "" ? {} : parse(note)) as Partial<ReportNote>;
  const { state = "queued", entry = report.entry } = known;
  return { report: { ...report, entry }, since, note: { ...known, state } };
}

function parse(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null) return value;
  throw new TypeError(`the outbox holds no item: ${text}`);
}

function isNamed<T extends { readonly id: string }>(value: T | undefined): value is T {
  return typeof value === "object" && value !== null && typeof value.id === "string";
}
