import type { Clock, Outbox, OutboxReport } from "@creditgate/core";
import type { OutboxFile } from "./outbox-file.ts";
import { sleep } from "./time.ts";

/** Options of {@link createSlowOutbox}. */
export interface SlowOutboxOptions {
  readonly clock: Clock;
  readonly file: OutboxFile;
  /** Whether it tells a later process what it has kept. */
  readonly lasting: boolean;
  /** How long the next append takes, and whether it then fails. */
  readonly nextAppend: () => { readonly delayMs: number; readonly fails: boolean };
  /** Reports are about to be written. */
  readonly onAppend?: (reports: readonly OutboxReport[]) => void;
  /** Reports have become durable. */
  readonly onAppended?: (reports: readonly OutboxReport[]) => void;
}

/** Creates an outbox that is as slow and as faulty as a disk: appends are done at once or take time, and may fail. */
export function createSlowOutbox(options: SlowOutboxOptions): Outbox {
  const { clock, file, lasting, nextAppend, onAppend, onAppended } = options;
  const { inner } = file;
  const disk = async <T>(step: () => T) => {
    const { delayMs, fails } = nextAppend();
    if (delayMs > 0) await sleep(clock, delayMs);
    if (fails) throw new Error("the disk fails");
    return step();
  };
  const lastingParts = {
    recover: (rememberMs: number) => disk(() => file.recover(rememberMs)),
    sendings: {
      begin: (ids: readonly string[]) => disk(() => file.send(ids)),
      keysHonoured: (service: string) => disk(() => file.honourKeys(service)),
    },
  };
  return {
    get full() {
      return inner.full;
    },
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
    next: (limit, eligible) => inner.next(limit, eligible),
    delivered: (id, rememberMs) => file.deliver(id, rememberMs),
    requeue: (id) => file.requeue(id),
    park(id, reason) {
      file.move(id, file.parked);
      return inner.park(id, reason);
    },
    bury(id, reason) {
      file.move(id, file.dead);
      return inner.bury(id, reason);
    },
    unpark() {
      file.parked.clear();
      return inner.unpark();
    },
    status: () => inner.status(),
    ...(lasting && lastingParts),
  };
}
