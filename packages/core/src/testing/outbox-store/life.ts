import type {
  OutboxBeat,
  OutboxBeaten,
  OutboxStep,
  OutboxWritten,
} from "../../delivery/fleet-outbox/outbox-store.ts";
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

  async join(): Promise<OutboxBeaten> {
    return this.beat({ joining: true });
  }

  async beat(said: Partial<Pick<OutboxBeat, "joining" | "leaving" | "seq">> = {}): Promise<OutboxBeaten> {
    const { process, name } = this;
    const { joining = false, leaving = false, seq = this.seq } = said;
    const beaten = await this.#stores.beat({ process, name, seq, joining, leaving, abandonMs });
    this.lanes = beaten.lanes;
    return beaten;
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
