/**
 * Where the outboxes of many processes keep what they have: all that Redis and PostgreSQL implement of an outbox. A row stands in
 * a lane, and a lane belongs to a process, which has all rows of its lanes in its memory too. Each method is one atomic step.
 */
export interface OutboxStore {
  /** The process is there. With `joining` it has a lane from then on; else the lanes of processes that are gone become its own. */
  heartbeat(heartbeat: OutboxHeartbeat): Promise<OutboxHeartbeatResult>;
  /**
   * Does the step as a whole, and resolves when it is as durable as the store makes it. Rejects where it is not known whether
   * it was done: the caller repeats the same step until it is answered, and it has no second effect.
   */
  write(step: OutboxStep): Promise<OutboxWritten>;
  /** Rows of a lane that this process owns, in the order in which they came, after this place; none where the lane ends. */
  read(process: string, lane: string, after: string | undefined): Promise<readonly StoredRow[]>;
  /**
   * Takes what operators ask for rows in lanes that this process owns, at most some hundred at once. What has been taken is not
   * given again: if the process ends before it has done it, the operator finds the row as it was.
   */
  takeRequests(process: string): Promise<readonly RowRequest[]>;
  /** For operators: rows of all lanes, in the order in which they came, after this place; none where they end. */
  list(after: string | undefined): Promise<readonly ListedRow[]>;
  /**
   * For operators: stores requests for the processes that own the rows. Each replaces an earlier one. A missing row
   * is skipped.
   */
  request(requests: readonly RowRequest[]): Promise<void>;
  /** Resolves when the event loop has made its turn: what comes in one goes in one step. Absent where a microtask is enough. */
  turn?(): Promise<void>;
  /** A step that is rejected has certainly not been done: it is not repeated. */
  readonly rollsBack?: boolean;
  /** There is little room: admission stops. Absent where none runs out. */
  readonly short?: boolean;
  /** Names a row that cannot be read. It stays in the store, and the others are delivered. Absent where a damaged row fails its reading. */
  damaged?(row: StoredRow, cause: unknown): void;
  /** Lets go of what the store has opened, once its outbox is closed. */
  close?(): Promise<void>;
  /** What a call of its closed outbox rejects with. */
  closedError?(): Error;
}

/** A sign of life. */
export interface OutboxHeartbeat {
  /** This life of the process: unique for ever. It is the name of its own lane too. */
  readonly process: string;
  /** Shared by the lives of one process: one that joins owns at once what the earlier ones had. */
  readonly name: string;
  /** The number of its last step; 0 before the first. */
  readonly seq: number;
  /** The first beat of this life. Repeated, it has no second effect. */
  readonly joining: boolean;
  /** The last one: others may take over what is left, at once. */
  readonly leaving: boolean;
  /**
   * A process that has been silent for so long is gone: milliseconds, by the clock of the store, through which the one that takes
   * over has not been silent itself for half of it. So a store that was away finds none of them gone.
   */
  readonly abandonMs: number;
}

/**
 * What the store returns about a process. `behind`: the store does not know it, or not its last step, since it has
 * lost its memory. `taken`: it has been silent, and another process has its lanes.
 */
export type OutboxState = "ok" | "behind" | "taken";

export interface OutboxHeartbeatResult {
  readonly status: OutboxState;
  /** All lanes that belong to the process now. */
  readonly lanes: readonly string[];
  /** The ledgers that were begun in these lanes and not ended, but for those that another process has begun too. */
  readonly ledgers: readonly string[];
  /** Everything that was `set`. */
  readonly values: Readonly<Record<string, string>>;
}

/** What changes at once. */
export interface OutboxStep {
  readonly process: string;
  /** Numbers the steps of this process, from 1, without a gap. */
  readonly seq: number;
  /** These lanes end, with all that is in them. What ledgers were begun in them goes over to the process's own lane. */
  readonly endedLanes: readonly string[];
  /** Rows for the end of the process's own lane, and what is to be known of them. */
  readonly added: readonly { readonly text: string; readonly note: string }[];
  /** What is to be known of rows beside their text, "" for nothing; takes the place of what was known before. */
  readonly noted: readonly { readonly place: string; readonly note: string }[];
  /** Rows that go. */
  readonly dropped: readonly string[];
  /** For all processes. */
  readonly set: Readonly<Record<string, string>>;
  /** Ids of ledgers that hold credits for what is in the process's own lane. */
  readonly begunLedgers: readonly string[];
  /** No lane of this process has them any more. */
  readonly endedLedgers: readonly string[];
}

export interface OutboxWritten {
  /** Nothing was done unless it is `ok`. */
  readonly status: OutboxState;
  /** Where the rows that were added stand, in their order: unique in the store for ever. */
  readonly places: readonly string[];
}

/** A row as it is read. */
export interface StoredRow {
  readonly place: string;
  readonly text: string;
  /** What was noted last; "" if nothing was. */
  readonly note: string;
}

/** What an operator asks for a row. */
export interface RowRequest {
  readonly place: string;
  readonly text: string;
}

/** A row as operators see it. */
export interface ListedRow extends StoredRow {
  /** Whether the process that has it is the one that has written it. */
  readonly isOwn: boolean;
  /** Whether an operator has requested something that the process has not received yet. */
  readonly isRequested: boolean;
}
