import type { Clock } from "../clock.ts";
import { sleep } from "../clock.ts";
import { createMemoryOutbox } from "../memory-outbox.ts";
import type { Outbox, OutboxReport } from "../outbox.ts";

/** An outbox in memory that is as slow and as faulty as a disk, and can be looked into. */
export interface SlowOutbox extends Outbox {
  /** What has been parked or buried, and not been taken back. */
  readonly stuck: Iterable<OutboxReport>;
}

/** Options of {@link createSlowOutbox}. */
export interface SlowOutboxOptions {
  readonly clock: Clock;
  /** How long the next append takes, and whether it then fails. */
  readonly nextAppend: () => { readonly delayMs: number; readonly fails: boolean };
  /** Reports have become durable. */
  readonly onAppended?: (reports: readonly OutboxReport[]) => void;
}

/** Creates an outbox whose appends take time and may fail. */
export function createSlowOutbox({ clock, nextAppend, onAppended }: SlowOutboxOptions): SlowOutbox {
  const inner = createMemoryOutbox();
  const undelivered = new Map<string, OutboxReport>();
  const parked = new Set<string>();
  const dead = new Set<string>();

  function* stuck(): Generator<OutboxReport> {
    for (const [id, report] of undelivered) if (parked.has(id) || dead.has(id)) yield report;
  }

  return {
    get full() {
      return inner.full;
    },
    get stuck() {
      return stuck();
    },
    async append(reports) {
      const { delayMs, fails } = nextAppend();
      if (delayMs > 0) await sleep(clock, delayMs);
      if (fails) throw new Error("the disk is full");
      await inner.append(reports);
      for (const report of reports) undelivered.set(report.id, report);
      onAppended?.(reports);
    },
    next: (limit, eligible) => inner.next(limit, eligible),
    delivered(id) {
      undelivered.delete(id);
      return inner.delivered(id);
    },
    requeue: (id) => inner.requeue(id),
    park(id, reason) {
      parked.add(id);
      return inner.park(id, reason);
    },
    bury(id, reason) {
      dead.add(id);
      return inner.bury(id, reason);
    },
    unpark() {
      parked.clear();
      return inner.unpark();
    },
    status: () => inner.status(),
  };
}
