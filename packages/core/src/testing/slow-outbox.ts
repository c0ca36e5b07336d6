import { andThen } from "../awaitable.ts";
import type { Clock } from "../clock.ts";
import { sleep } from "../clock.ts";
import { createMemoryOutbox } from "../memory-outbox.ts";
import type { Outbox, OutboxReport } from "../outbox.ts";

/** An outbox in memory that is as slow and as faulty as a disk, and can be looked into. */
export interface SlowOutbox extends Outbox {
  /** What has been parked, and not been taken back. */
  readonly parked: Iterable<OutboxReport>;
  /** What has been buried. */
  readonly dead: Iterable<OutboxReport>;
}

/** Options of {@link createSlowOutbox}. */
export interface SlowOutboxOptions {
  readonly clock: Clock;
  /** How long the next append takes, and whether it then fails. */
  readonly nextAppend: () => { readonly delayMs: number; readonly fails: boolean };
  /** Reports have become durable. */
  readonly onAppended?: (reports: readonly OutboxReport[]) => void;
}

/** Creates an outbox whose appends are done at once or take time, and may fail. */
export function createSlowOutbox({ clock, nextAppend, onAppended }: SlowOutboxOptions): SlowOutbox {
  const inner = createMemoryOutbox();
  const known = new Map<string, OutboxReport>();
  const parked = new Map<string, OutboxReport>();
  const dead = new Map<string, OutboxReport>();

  function move(id: string, to: Map<string, OutboxReport>): void {
    const report = known.get(id);
    if (report !== undefined) to.set(id, report);
  }

  return {
    get full() {
      return inner.full;
    },
    get parked() {
      return parked.values();
    },
    get dead() {
      return dead.values();
    },
    append(reports) {
      const { delayMs, fails } = nextAppend();
      // As in a file, what is written can be read before it is durable.
      const written = fails ? undefined : inner.append(reports);
      const end = () => {
        if (fails) throw new Error("the disk is full");
        for (const report of reports) known.set(report.id, report);
        onAppended?.(reports);
      };
      return andThen(delayMs > 0 ? sleep(clock, delayMs) : written, end);
    },
    next: (limit, eligible) => inner.next(limit, eligible),
    delivered: (...report) => inner.delivered(...report),
    requeue: (id) => inner.requeue(id),
    park(id, reason) {
      move(id, parked);
      return inner.park(id, reason);
    },
    bury(id, reason) {
      move(id, dead);
      return inner.bury(id, reason);
    },
    unpark() {
      parked.clear();
      return inner.unpark();
    },
    status: () => inner.status(),
  };
}
