import type { OutboxHeartbeat, OutboxHeartbeatResult, OutboxStep, OutboxWritten } from "@creditgate/fleet";
import { abandonMs, type TwinStores } from "./twin-stores.ts";

/** What a step changes, beside who does it. Rows by their numbers. */
export type Changes = Partial<Omit<OutboxStep, "process" | "seq">>;

/** A process of the trial. */
export class Life {
  readonly process: string;
  readonly name: string;
  readonly #stores: TwinStores;
  seq = 0;
  lanes: readonly string[] = [];

  constructor(stores: TwinStores, process: string, name: string = process) {
    this.#stores = stores;
    this.process = process;
    this.name = name;
  }

  async join(): Promise<OutboxHeartbeatResult> {
    return this.heartbeat({ joining: true });
  }

  async heartbeat(
    said: Partial<Pick<OutboxHeartbeat, "joining" | "leaving" | "seq">> = {},
  ): Promise<OutboxHeartbeatResult> {
    const { process, name } = this;
    const { joining = false, leaving = false, seq = this.seq } = said;
    const result = await this.#stores.heartbeat({ process, name, seq, joining, leaving, abandonMs });
    this.lanes = result.lanes;
    return result;
  }

  /** The next step, or that of another number. */
  async write(changes: Changes, seq: number = this.seq + 1): Promise<OutboxWritten> {
    const written = await this.#stores.write({
      process: this.process,
      seq,
      endedLanes: [],
      added: [],
      noted: [],
      dropped: [],
      set: {},
      begunLedgers: [],
      endedLedgers: [],
      ...changes,
    });
    if (written.status !== "ok") return written;
    this.seq = seq;
    this.lanes = this.lanes.filter((lane) => changes.endedLanes?.includes(lane) !== true);
    return written;
  }

  /** Rows with these texts, and nothing noted of them. */
  async add(...texts: readonly string[]): Promise<OutboxWritten> {
    return this.write({ added: texts.map((text) => ({ text, note: "" })) });
  }
}
