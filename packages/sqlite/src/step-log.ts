import type { ListedRow, OutboxStep, StoredRow } from "@creditgate/fleet";

/** A row that stands in the log, with what was noted of it last. */
interface LiveRow {
  note: string;
  step: Step;
}

interface Step {
  readonly id: number;
  readonly lines: number;
  /** How many rows that have not been dropped stand in it. */
  live: number;
}

/** A log shorter than this, in lines, is left as it is. */
const shortLog = 10_000;

/**
 * What the steps of a file say, step by step. The body of a step has a line for each thing that it does: `+PLACE TEXT` adds a row,
 * `=PLACE NOTE` notes something of it, `-PLACE` drops it; text and note are JSON, which has no line feed. A line for a place that is not
 * there has no effect, so that the oldest step may go once no row stands in it.
 */
export class StepLog {
  /** In the order in which they stand in the log. */
  readonly #rows = new Map<string, LiveRow>();
  readonly #steps = new Map<number, Step>();
  #lines = 0;
  #last = 0;

  /** The id of the next step. */
  get next(): number {
    return this.#last + 1;
  }

  get rows(): ReadonlyMap<string, Readonly<LiveRow>> {
    return this.#rows;
  }

  /** Does what a step says. `added` is told of each row that it has. */
  apply(id: number, lines: readonly string[], added?: (place: string, text: string) => void): void {
    const step: Step = { id, lines: lines.length, live: 0 };
    this.#last = id;
    this.#steps.set(id, step);
    for (const line of lines) {
      const [place, rest] = partsOf(line);
      const row = this.#rows.get(place);
      if (line.startsWith("+")) {
        this.#drop(place, row);
        this.#rows.set(place, { note: "", step });
        step.live++;
        added?.(place, rest);
      } else if (line.startsWith("-")) this.#drop(place, row);
      else if (row !== undefined) row.note = rest;
    }
    this.#lines += step.lines;
  }

  /** The steps up to this one may go; `undefined` if none may. */
  deadUntil(): number | undefined {
    let dead: number | undefined;
    for (const { id, live } of this.#steps.values()) {
      if (live > 0) break;
      dead = id;
    }
    return dead;
  }

  /**
   * The last of the oldest steps, with some `lines` in them, whose rows must be written anew, so that a row which stays for long does not
   * keep all that came after it.
   */
  movedUntil(lines: number): number | undefined {
    if (this.#lines < shortLog + 4 * this.#rows.size) return undefined;
    let scanned = 0;
    for (const step of this.#steps.values()) {
      scanned += step.lines;
      if (scanned >= lines) return step.id;
    }
    return undefined;
  }

  /** The lines that write the rows anew which stand in this step. */
  moving(id: number, body: string): readonly string[] {
    return linesOf(body).flatMap((line) => {
      const [place] = partsOf(line);
      const row = this.#rows.get(place);
      if (!line.startsWith("+") || row?.step.id !== id) return [];
      return row.note === "" ? [line] : [line, `=${place} ${row.note}`];
    });
  }

  /** The steps up to this one are gone. */
  forget(until: number): void {
    for (const { id, lines } of this.#steps.values()) {
      if (id > until) break;
      this.#steps.delete(id);
      this.#lines -= lines;
    }
  }

  #drop(place: string, row: LiveRow | undefined): void {
    if (row === undefined) return;
    row.step.live--;
    this.#rows.delete(place);
  }
}

/** The lines of a step of this id, and the places of the rows that it adds. */
export function linesOfStep(
  id: number,
  { added, noted, dropped }: OutboxStep,
): { readonly places: readonly string[]; readonly lines: string[] } {
  const places = added.map((_, index) => `${id}.${index}`);
  const lines = [
    ...added.flatMap(({ text, note }, index) => {
      const place = places[index];
      return note === "" ? [`+${place} ${text}`] : [`+${place} ${text}`, `=${place} ${note}`];
    }),
    ...noted.map(({ place, note }) => `=${place} ${note}`),
    ...dropped.map((place) => `-${place}`),
  ];
  return { places, lines };
}

/** All rows of a log whose steps are given in their order. */
export function readLog(log: StepLog, steps: Iterable<StoredStep>): readonly StoredRow[] {
  const texts = new Map<string, string>();
  for (const { id, body } of steps) log.apply(id, linesOf(body), (place, text) => texts.set(place, text));
  return [...log.rows].map(([place, { note }]) => ({ place, text: texts.get(place) ?? "", note }));
}

/** The same as operators see it: `since` is the first step of the process that has the file. */
export function listLog(steps: Iterable<StoredStep>, since: number): readonly ListedRow[] {
  return readLog(new StepLog(), steps).map((row) => {
    return { ...row, isOwn: Number.parseInt(row.place, 10) >= since, isRequested: false };
  });
}

export interface StoredStep {
  readonly id: number;
  readonly body: string;
}

function linesOf(body: string): readonly string[] {
  return body.split("\n");
}

/** The place that a line concerns, and what it says of it. */
function partsOf(line: string): readonly [place: string, rest: string] {
  const end = line.indexOf(" ");
  return end < 0 ? [line.slice(1), ""] : [line.slice(1, end), line.slice(end + 1)];
}
