import { backOffMs } from "@creditgate/client";
import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { Clock } from "../time/clock.ts";
import { createPaceReports } from "../usage/settlement-pace.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { reopenUsage } from "../wallets/missing-wallets.ts";
import { describeSettlementFailure, failureRetryMs } from "./failures.ts";
import { createHeldWallets } from "./held-wallets.ts";
import { type Batch, type SettledEvent, settleBatch } from "./settlement.ts";

export interface SettlementWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How long usage that another replica has accepted, and could not settle, waits at most. */
  readonly pollMs?: number;
  /** Called with what has been settled, when it is durable. */
  readonly onSettled?: (events: readonly SettledEvent[]) => void;
  /** How long another transaction locks a wallet until that is reported. @default 10000 */
  readonly heldReportMs?: number;
  /** Returns a number from 0 up to but without 1. @default Math.random */
  readonly random?: () => number;
  /** Called once per row of failures, once for usage that cannot be settled, and once for a wallet that is held for long. */
  readonly onError?: (error: unknown) => void;
}

export interface SettlementWorker {
  /** Announces accepted usage that is due then. */
  wake(dueAt: Date): void;
  /** Resolves when all accepted usage is settled, by any worker; what failed, and is noted, does not count. */
  settled(): Promise<void>;
  /** Resolves when the batch under way is done. What is not settled yet stays stored. */
  stop(): Promise<void>;
}

const retries = { firstMs: 500, longestMs: 5_000 };
/** Enough that each wallet has several, so that it is written once for them; held for about 100 ms. */
const batchSize = 2_000;

/** Each that fails again takes transactions of its own, for which all other usage waits. */
const retrySize = 100;

/** The rest after a batch, in durations of the batch: what comes in meanwhile makes the next batch larger, and each cheaper. */
const restFactor = 2;
const longestRestMs = 250;
const longestTimerMs = 2 ** 31 - 1;

/** Sleeps until the next usage is due, settles all that is, and so on. */
export function startSettlementWorker(options: SettlementWorkerOptions): SettlementWorker {
  const { database, clock, pollMs = 5_000, heldReportMs = 10_000, random = Math.random } = options;
  const { onSettled, onError } = options;
  const heldWallets = createHeldWallets({ database, reportMs: heldReportMs, random, onError });
  const reportPace = createPaceReports(database);
  let stopping = false;
  /** Passes that have failed in a row. */
  let failures = 0;
  let wakeAt = 0;
  let restMs = 0;
  let nextRetryAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let awake = (): void => undefined;
  let passes: (() => void)[] = [];

  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      awake = resolve;
      arm();
    });
  const arm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(awake, Math.min(Math.max(restMs, wakeAt - clock.now()), longestTimerMs));
  };
  const wakeBy = (time: number): void => {
    if (time >= wakeAt) return;
    wakeAt = time;
    if (timer !== undefined) arm();
  };

  const report = ({ settled, failures }: Batch): void => {
    if (settled.length > 0) onSettled?.(settled);
    const [first] = failures;
    if (first === undefined) return;
    const more = failures.length === 1 ? "" : ` (and ${failures.length - 1} more)`;
    onError?.(new ControlPlaneError("operator_needed", `${describeSettlementFailure(first)}${more}`));
  };

  /**
   * A full batch leaves more that is due, of which nothing is known where wallets are held, or all was reopened. Intake gives way by what
   * is reported.
   */
  const reportLateness = ({ claimed, settled }: Batch, held: readonly WalletKey[], now: Date): void => {
    const isFull = claimed === batchSize;
    if (!isFull && held.length > 0) return;
    const newest = isFull ? settled.findLast(({ isCounted }) => !isCounted)?.dueAt : now;
    if (newest !== undefined) reportPace(Math.max(0, now.getTime() - newest.getTime()));
  };

  /** Settles all that is due; what belongs to wallets that are held is left to the next pass. Resolves as of when. */
  const settleAll = async (): Promise<Date> => {
    const held: WalletKey[] = [];
    let now: Date;
    let claimed: number;
    do {
      const start = performance.now();
      now = new Date(clock.now());
      const batch = await settleBatch(database, { now, limit: batchSize, except: held });
      ({ claimed } = batch);
      held.push(...batch.held);
      report(batch);
      reportLateness(batch, held, now);
      restMs = claimed === 0 ? 0 : Math.min(longestRestMs, (performance.now() - start) * restFactor);
    } while (!stopping && claimed === batchSize);
    heldWallets.see(held);
    const waited = stopping ? undefined : await heldWallets.waitForOne(now);
    if (waited !== undefined) report(waited);
    return now;
  };

  const retryFailed = async (now: Date): Promise<void> => {
    if (performance.now() < nextRetryAt) return;
    nextRetryAt = performance.now() + failureRetryMs;
    let batch: Batch;
    do {
      batch = await settleBatch(database, { now, limit: retrySize, isRetry: true });
      report(batch);
    } while (!stopping && batch.settled.length === retrySize);
  };

  const pass = async (): Promise<void> => {
    // Set before reading, so that usage which is accepted meanwhile is not overslept.
    wakeAt = clock.now() + pollMs;
    try {
      const now = await settleAll();
      await retryFailed(now);
      wakeBy(clock.now() + (heldWallets.retryMs() ?? pollMs));
      const ahead = await lookAhead(database, now);
      wakeBy(ahead.opened && (await reopenUsage(database)) ? now.getTime() : ahead.due);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 1) onError?.(error);
      wakeAt = clock.now() + backOffMs(failures, { ...retries, random });
    }
    const waiting = passes;
    passes = [];
    for (const resolve of waiting) resolve();
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      await pass();
      if (!stopping) await sleep();
      timer = undefined;
    }
  };
  const running = run();

  return {
    wake: (dueAt) => wakeBy(dueAt.getTime()),
    async settled() {
      while (!stopping) {
        // Registered before asking: the pass that settles the last usage may end while we ask.
        const passed = new Promise<void>((resolve) => passes.push(resolve));
        // A clock that somebody has put forward is ahead of the timer.
        if (timer !== undefined && clock.now() >= wakeAt) arm();
        if (!(await hasUnsettled(database))) return;
        await passed;
      }
      throw new Error("The settlement worker was stopped before all usage was settled.");
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      awake();
      await running;
      for (const resolve of passes) resolve();
    },
  };
}

/** Usage that is due already and still unsettled is in the hands of another worker: the poll looks after it. */
async function lookAhead(
  database: Database,
  now: Date,
): Promise<{ readonly due: number; readonly opened: boolean }> {
  const { rows } = await sql<{ due: Date | null; opened: boolean }>`
    select (select min(due_at) from usage_due where failed_at is null and due_at > ${now}) as due,
           exists (select from wallet_openings) as opened`.execute(database);
  return { due: rows[0]?.due?.getTime() ?? Number.POSITIVE_INFINITY, opened: rows[0]?.opened === true };
}

async function hasUnsettled(database: Database): Promise<boolean> {
  const { rows } = await sql<{ unsettled: boolean }>`
    select exists (select from usage_due where failed_at is null)
        or exists (select from wallet_openings) as unsettled`.execute(database);
  return rows[0]?.unsettled === true;
}
