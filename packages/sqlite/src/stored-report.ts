import type { OutboxReport } from "@creditgate/core";
import type { NotedReservation, OpenWork, RecoveredReport } from "@creditgate/core/adapter";
import type { SqlValue } from "./database.ts";
import type { Placed, PlacedNames } from "./file-queue.ts";
import type { Row } from "./row.ts";
import { state } from "./schema.ts";

export const insertReport = `INSERT INTO report
  (position, id, customer, currency, agent, indicator, usage, entry, amount, bytes, stored_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;

/** The columns of {@link reportOf}. Amounts are read as REAL: `node:sqlite` throws for an INTEGER beyond 2^53. */
export const reportColumns =
  "position, id, state, customer, currency, agent, indicator, usage, entry, CAST(amount AS REAL) AS amount, stored_at, reason";

/** The columns of {@link openWork}. */
export const workColumns =
  "id, customer, currency, agent, indicator, CAST(hold AS REAL) AS hold, begun_at, orphan";

/** The values of {@link insertReport}, after the position: everything that may fail has been done before the transaction begins. */
export function packReport(report: OutboxReport, storedAt: number): readonly SqlValue[] {
  const { id, customerId, currency, agentId, indicator, rawUsage, entry } = report;
  const texts = [id, customerId, currency, agentId, indicator, JSON.stringify(rawUsage), entry.id];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [...texts, entry.amount, bytes, storedAt];
}

export function reportOf(row: Row): OutboxReport {
  const { id, customerId, currency, entry } = recoveredReport(row);
  const { agent, indicator, usage } = row;
  return {
    id,
    customerId,
    agentId: String(agent),
    indicator: String(indicator),
    rawUsage: JSON.parse(String(usage)),
    currency,
    entry,
  };
}

export function placedReport(row: Row): Placed {
  return { position: Number(row.position), report: reportOf(row) };
}

export function placedNames({ position, customer, agent, indicator }: Row): PlacedNames {
  return {
    position: Number(position),
    customerId: String(customer),
    agentId: String(agent),
    indicator: String(indicator),
  };
}

export function recoveredReport(row: Row): RecoveredReport {
  return {
    id: String(row.id),
    customerId: String(row.customer),
    currency: String(row.currency),
    entry: { id: String(row.entry), amount: Number(row.amount) },
    delivered: row.state === state.delivered,
  };
}

export function openWork(row: Row): OpenWork {
  const { id, customer, currency, agent, indicator, hold } = row;
  return {
    id: String(id),
    customerId: String(customer),
    currency: String(currency),
    agentId: String(agent),
    indicator: String(indicator),
    hold: Number(hold),
  };
}

export function notedReservation(row: Row): NotedReservation {
  return {
    account: String(row.account),
    process: String(row.process),
    service: String(row.service),
    customerId: String(row.customer),
    currency: String(row.currency),
  };
}
