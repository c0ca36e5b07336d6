import type {
  ListedRow,
  OutboxBeat,
  OutboxBeaten,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "../../delivery/fleet-outbox/outbox-store.ts";

interface Process {
  readonly name: string;
  /** Not after now: where the clock has stepped back, a process that is gone would be waited for until it has caught up. */
  beatAt: number;
  /** Since when it has not been silent for half of what makes a process gone. */
  heardSince: number;
  seq: number;
  places: readonly string[];
  standing: "live" | "left" | "taken";
}

interface Row extends StoredRow {
  readonly lane: string;
  readonly request?: string | undefined;
}

interface State {
  readonly processes: Map<string, Process>;
  readonly lanes: Map<string, string>;
  /** The ids of ledgers by lane. */
  readonly ledgers: Map<string, Set<string>>;
  readonly rows: Map<string, Row>;
  readonly values: Map<string, string>;
}

/** What a memory of an outbox store was at some instant. */
export type OutboxStoreImage = State;

/** The outbox store that others are held against: in memory, for tests. */
export class MemoryOutboxStore implements OutboxStore {
  readonly #now: () => number;
  #state: State = {
    processes: new Map(),
    lanes: new Map(),
    ledgers: new Map(),
    rows: new Map(),
    values: new Map(),
  };
  #places = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What is in it, for {@link MemoryOutboxStore.restore}. */
  image(): OutboxStoreImage {
    return structuredClone(this.#state);
  }

  /** It is as it was then, or empty. */
  restore(image?: OutboxStoreImage): void {
    this.#state = structuredClone(image) ?? {
      processes: new Map(),
      lanes: new Map(),
      ledgers: new Map(),
      rows: new Map(),
      values: new Map(),
    };
  }

  async beat(beat: OutboxBeat): Promise<OutboxBeaten> {
    const { processes, lanes, ledgers, values } = this.#state;
    const now = this.#now();
    if (beat.joining && !processes.has(beat.process)) {
      const { name } = beat;
      processes.set(beat.process, {
        name,
        beatAt: now,
        heardSince: now,
        seq: 0,
        places: [],
        standing: "live",
      });
      lanes.set(beat.process, beat.process);
      ledgers.set(beat.process, new Set());
    }
    const own = processes.get(beat.process);
    const nothing = { lanes: [], ledgers: [], values: {} };
    if (own === undefined || own.seq < beat.seq) return { status: "behind", ...nothing };
    if (own.standing === "taken") return { status: "taken", ...nothing };
    for (const process of beat.leaving ? [own] : processes.values()) {
      process.beatAt = Math.min(process.beatAt, now);
      process.heardSince = Math.min(process.heardSince, now);
    }
    if (2 * (now - own.beatAt) >= beat.abandonMs) own.heardSince = now;
    own.beatAt = now;
    own.standing = beat.leaving ? "left" : "live";
    for (const [id, other] of processes) {
      if (id === beat.process || other.standing === "taken" || beat.leaving) continue;
      const isEarlier = beat.joining && other.name === beat.name;
      const isSilent = now - Math.max(other.beatAt, own.heardSince) >= beat.abandonMs;
      if (!isEarlier && !isSilent && other.standing !== "left") continue;
      other.standing = "taken";
      for (const [lane, owner] of lanes) if (owner === id) lanes.set(lane, beat.process);
    }
    const isOwn = (lane: string) => lanes.get(lane) === beat.process;
    const found = new Set([...ledgers].flatMap(([lane, ids]) => (isOwn(lane) ? [...ids] : [])));
    const others = new Set([...ledgers].flatMap(([lane, ids]) => (isOwn(lane) ? [] : [...ids])));
    return {
      status: "ok",
      lanes: [...lanes.keys()].filter(isOwn),
      ledgers: [...found].filter((id) => !others.has(id)),
      values: Object.fromEntries(values),
    };
  }

  async write(step: OutboxStep): Promise<OutboxWritten> {
    const { processes, lanes, ledgers, rows, values } = this.#state;
    const own = processes.get(step.process);
    if (own?.standing === "taken") return { status: "taken", places: [] };
    if (own !== undefined && own.seq === step.seq) return { status: "ok", places: own.places };
    if (own === undefined || own.seq + 1 !== step.seq) return { status: "behind", places: [] };
    own.seq = step.seq;
    own.beatAt = this.#now();
    own.places = step.added.map(({ text, note }) => {
      const place = String(this.#places++);
      rows.set(place, { place, text, note, lane: step.process });
      return place;
    });
    for (const { place, note } of step.noted) {
      const row = rows.get(place);
      if (row !== undefined) rows.set(place, { ...row, note });
    }
    for (const place of step.dropped) rows.delete(place);
    for (const [name, value] of Object.entries(step.set)) values.set(name, value);
    for (const lane of step.endedLanes) {
      lanes.delete(lane);
      for (const [place, row] of rows) if (row.lane === lane) rows.delete(place);
      for (const id of ledgers.get(lane) ?? []) ledgers.get(step.process)?.add(id);
      ledgers.delete(lane);
    }
    for (const id of step.begunLedgers) ledgers.get(step.process)?.add(id);
    for (const [lane, ids] of ledgers) {
      if (lanes.get(lane) === step.process) for (const id of step.endedLedgers) ids.delete(id);
    }
    return { status: "ok", places: own.places };
  }

  async read(process: string, lane: string, after: string | undefined): Promise<readonly StoredRow[]> {
    const { lanes, rows } = this.#state;
    if (lanes.get(lane) !== process) return [];
    const all = [...rows.values()].filter((row) => row.lane === lane);
    return page(all, after).map(({ place, text, note }) => ({ place, text, note }));
  }

  async takeRequests(process: string): Promise<readonly RowRequest[]> {
    const { lanes, rows } = this.#state;
    const taken: RowRequest[] = [];
    for (const row of rows.values()) {
      const { place, lane, request } = row;
      if (request === undefined || lanes.get(lane) !== process || taken.length >= 100) continue;
      taken.push({ place, text: request });
      rows.set(place, { ...row, request: undefined });
    }
    return taken;
  }

  async list(after: string | undefined): Promise<readonly ListedRow[]> {
    const { lanes, rows } = this.#state;
    return page([...rows.values()], after).map(({ place, text, note, lane, request }) => {
      return { place, text, note, isOwn: lanes.get(lane) === lane, isRequested: request !== undefined };
    });
  }

  async request(requests: readonly RowRequest[]): Promise<void> {
    const { rows } = this.#state;
    for (const { place, text } of requests) {
      const row = rows.get(place);
      if (row !== undefined) rows.set(place, { ...row, request: text });
    }
  }
}

function page(rows: readonly Row[], after: string | undefined): readonly Row[] {
  const from = after === undefined ? 0 : rows.findIndex(({ place }) => Number(place) > Number(after));
  return from === -1 ? [] : rows.slice(from, from + 100);
}
