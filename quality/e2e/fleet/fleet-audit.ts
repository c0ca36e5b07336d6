import type { TestControlPlane } from "@creditgate/control-plane/testing";
import pg from "pg";
import { expect } from "vitest";
import type { FleetOutcome, FleetTrial } from "./fleet-trial.ts";

/** What the control plane has in its books for one customer, who began with the funds of the trial. */
export interface FleetBooks {
  /** How often each report was counted, by the model that names it. */
  readonly counts: ReadonlyMap<string, number>;
  /** Credits of all reports. */
  readonly billed: number;
  /** Credits that are left, and those beyond what there was. */
  readonly available: number;
  readonly overspent: number;
}

/** Names the work of killed processes, which has no report of its own. */
export const cutOff = "cut off";

export async function readFleetBooks({ controlPlane, customerId, size }: Audited): Promise<FleetBooks> {
  await controlPlane.settled();
  const database = new pg.Client({ connectionString: controlPlane.databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ model: string; count: string }>(
      "select raw_usage->>'model' as model, count(*) as count from usage_reports where customer_id = $1 group by 1",
      [customerId],
    );
    const counts = new Map(rows.map(({ model, count }) => [model, Number(count)]));
    const billed = size.hold * [...counts.values()].reduce((sum, count) => sum + count, 0);
    const { ai_credits: wallet } = await controlPlane.balance(customerId);
    const { available = Number.NaN, overage_used: overspent = Number.NaN } = wallet ?? {};
    expect(size.funds - available + overspent).toBe(billed);
    return { counts, billed, available, overspent };
  } finally {
    await database.end();
  }
}

type Audited = Pick<FleetTrial, "size" | "customerId"> & { readonly controlPlane: TestControlPlane };

/** All that was let in is billed, once, and nothing else; what a kill has cut off is billed by its hold. */
export function expectBilledOnce({ counts }: FleetBooks, { admitted, settled }: FleetOutcome): void {
  const named = [...counts].filter(([model]) => model !== cutOff);
  expect(named.filter(([, count]) => count !== 1)).toEqual([]);
  expect(new Set(admitted).size).toBe(admitted.length);
  const known = new Set(admitted);
  expect(named.filter(([model]) => !known.has(model))).toEqual([]);
  expect(settled.filter((model) => !counts.has(model))).toEqual([]);
  const unnamed = admitted.filter((model) => !counts.has(model));
  expect(unnamed.length).toBeLessThanOrEqual(counts.get(cutOff) ?? 0);
}

/** The wallet is spent to the last credit and no further, and nothing is left anywhere. Resolves with a line on it. */
export async function expectExact(trial: Audited, outcome: FleetOutcome): Promise<string> {
  const { size } = trial;
  const books = await readFleetBooks(trial);
  expectBilledOnce(books, outcome);
  const { billed, available, overspent } = books;
  expect({ billed, available, overspent }).toEqual({ billed: size.funds, available: 0, overspent: 0 });
  expectNothingLeft(trial, outcome);
  return summaryOf(outcome, books);
}

export function expectNothingLeft({ size }: Pick<Audited, "size">, outcome: FleetOutcome): void {
  const { admitted, denied, left, stranded } = outcome;
  expect(denied + admitted.length).toBe(size.processes * size.attempts);
  for (const one of left)
    expect(one).toMatchObject({ queued: 0, parked: 0, dead: 0, undelivered: 0, overrun: 0 });
  expect(stranded).toBe(0);
}

export function summaryOf({ admitted, denied, left, elapsedMs }: FleetOutcome, books: FleetBooks): string {
  const cut = books.counts.get(cutOff) ?? 0;
  const reports = [...books.counts.values()].reduce((sum, count) => sum + count, 0);
  const retried = left.reduce((sum, one) => sum + one.retried, 0);
  const seconds = (elapsedMs / 1_000).toFixed(1);
  return `${admitted.length} let in, ${reports} billed${cut > 0 ? ` (${cut} cut off)` : ""}, ${denied} denied (${retried} times retryable before), overspent ${books.overspent}; ${seconds} s`;
}
