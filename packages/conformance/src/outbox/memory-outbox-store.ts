import type {
  ListedRow,
  OutboxHeartbeat,
  OutboxHeartbeatResult,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "@creditgate/fleet";

interface Process {
  readonly name: string;
  /** Not after now: where the clock has stepped back, a process that is gone would be waited for until it has caught up. */
  heartbeatAt: number;
  /** Since when it has not been silent for half of what makes a process gone. */
  seenSince: number;
  seq: number;
  places: readonly string[];
  state: "live" | "left" | "taken";
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

  async heartbeat(heartbeat: OutboxHeartbeat): Promise<OutboxHeartbeatResult> {
    const { processes, lanes, ledgers, values } = this.#state;
    const now = this.#now();
    if (heartbeat.joining && !processes.has(heartbeat.process)) {
      const { name } = heartbeat;
      processes.set(heartbeat.process, {
        name,
        heartbeatAt: now,
        seenSince: now,
        seq: 0,
        places: [],
        state: "live",
      });
      lanes.set(heartbeat.process, heartbeat.process);
      ledgers.set(heartbeat.process, new Set());
    }
    const own = processes.get(heartbeat.process);
    const nothing = { lanes: [], ledgers: [], values: {} };
    if (own === undefined || own.seq < heartbeat.seq) return { status: "behind", ...nothing };
    if (own.state === "taken") return { status: "taken", ...nothing };
    for (const process of heartbeat.leaving ? [own] : processes.values()) {
      process.heartbeatAt = Math.min(process.heartbeatAt, now);
      process.seenSince = Math.min(process.seenSince, now);
    }
    if (2 * (now - own.heartbeatAt) >= heartbeat.abandonMs) own.seenSince = now;
    own.heartbeatAt = now;
    own.state = heartbeat.leaving ? "left" : "live";
    for (const [id, other] of processes) {
      if (id === heartbeat.process || other.state === "taken" || heartbeat.leaving) continue;
      const isEarlier = heartbeat.joining && other.name === heartbeat.name;
      const isSilent = now - Math.max(other.heartbeatAt, own.seenSince) >= heartbeat.abandonMs;
      if (!isEarlier && !isSilent && other.state !== "left") continue;
      other.state = "taken";
      for (const [lane, owner] of lanes) if (owner === id) lanes.set(lane, heartbeat.process);
    }
    const isOwn = (lane: string) => lanes.get(lane) === heartbeat.process;
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
    if (own?.state === "taken") return { status: "taken", places: [] };
    if (own !== undefined && own.seq === step.seq) return { status: "ok", places: own.places };
    if (own === undefined || own.seq + 1 !== step.seq) return { status: "behind", places: [] };
    own.seq = step.seq;
    own.heartbeatAt = this.#now();
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
