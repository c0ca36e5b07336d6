import type { Clock, Outbox, OutboxReport } from "@creditgate/core";
import type { OutboxFile } from "./outbox-file.ts";
import { sleep } from "./time.ts";

/** Options of {@link createSlowOutbox}. */
export interface SlowOutboxOptions {
  readonly clock: Clock;
  readonly file: OutboxFile;
  /** Whether a later process receives what it has kept. */
  readonly durable: boolean;
  /** How long the next append takes, and whether it then fails. */
  readonly nextAppend: () => { readonly delayMs: number; readonly fails: boolean };
  /** Reports are about to be written. */
  readonly onAppend?: (reports: readonly OutboxReport[]) => void;
  /** Reports have become durable. */
  readonly onAppended?: (reports: readonly OutboxReport[]) => void;
}

/** Creates an outbox that is as slow and as faulty as a disk: appends are done at once or take time, and may fail. */
export function createSlowOutbox(options: SlowOutboxOptions): Outbox {
  const { clock, file, durable, nextAppend, onAppend, onAppended } = options;
  const disk = async <T>(step: () => T) => {
    const { delayMs, fails } = nextAppend();
    if (delayMs > 0) await sleep(clock, delayMs);
    if (fails) throw new Error("the disk fails");
    return step();
  };
  const durableParts = {
    recover: (rememberMs: number) => disk(() => file.recover(rememberMs)),
    sendings: {
      begin: (ids: readonly string[]) => disk(() => file.send(named(ids), true)),
      end: (ids: readonly string[]) => disk(() => file.send(named(ids), false)),
      keysHonoured: (service: string) => disk(() => file.honourKeys(service)),
    },
  };
  return {
    full: false,
    append(reports) {
      onAppend?.(reports);
      const { delayMs, fails } = nextAppend();
      if (!fails) file.write(reports);
      const end = () => {
        if (fails) throw new Error("the disk is full");
        file.durable(reports);
        onAppended?.(reports);
      };
      return delayMs > 0 ? sleep(clock, delayMs).then(end) : end();
    },
    release: (reports) => file.release(reports),
    next: (limit) => file.next(limit),
    delivered: (...taken) => file.deliver(...taken),
    requeue: (reports) => file.requeue(reports),
    park: (report) => file.setAside(report, "parked"),
    bury: (report) => file.setAside(report, "dead"),
    unpark: () => file.unpark(),
    // No operator is simulated.
    retry: () => [],
    status: async () => file.status,
    ...(durable && durableParts),
  };
}

function named(ids: readonly string[]): readonly { readonly id: string }[] {
  return ids.map((id) => ({ id }));
}
