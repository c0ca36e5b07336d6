import type { StoredRow } from "@creditgate/fleet";

/** What a row of the file says: rows that come, or stand here from now on; what is noted of rows; and rows that go. */
export interface LoggedStep {
  readonly added: readonly StoredRow[];
  readonly noted: readonly { readonly place: string; readonly note: string }[];
  readonly dropped: readonly string[];
}

interface LiveRow {
  readonly text: string;
  note: string;
  readonly step: LiveStep;
}

interface LiveStep {
  readonly id: number;
  readonly bytes: number;
  /** How many rows stand in it. */
  rows: number;
}

/** The steps up to this one may go with the next step if these rows stand in that one from then on. */
interface Sweep {
  readonly until: number;
  readonly moved: readonly StoredRow[];
}

/** A shorter log is left as it is. */
const shortLog = 2 ** 20;
const bytesPerSweep = 2 ** 17;

/**
 * What the steps of a file say together. Whatever concerns a row that does not stand in the log has no effect, so that the oldest step may
 * go once no row stands in it.
 */
export class StepLog {
  /** In the order in which they stand in the log. */
  readonly #rows = new Map<string, LiveRow>();
  readonly #steps = new Map<number, LiveStep>();
  #bytes = 0;
  #bytesSinceSweep = 0;
  /** Of the rows that stand in it. */
  #liveBytes = 0;
  #last = 0;

  /** The id of the next step. */
  get next(): number {
    return this.#last + 1;
  }

  rows(): readonly StoredRow[] {
    return [...this.#rows].map(([place, { text, note }]) => ({ place, text, note }));
  }

  apply(id: number, { added, noted, dropped }: LoggedStep): void {
    const step: LiveStep = { id, bytes: bytesOf({ added, noted, dropped }), rows: added.length };
    this.#last = id;
    this.#steps.set(id, step);
    this.#bytes += step.bytes;
    this.#bytesSinceSweep += step.bytes;
    for (const { place, text, note } of added) {
      this.#drop(place);
      this.#rows.set(place, { text, note, step });
      this.#liveBytes += text.length;
    }
    for (const { place, note } of noted) {
      const row = this.#rows.get(place);
      if (row !== undefined) row.note = note;
    }
    for (const place of dropped) this.#drop(place);
  }

  /** Now and then, what of the log can go. Rows that stay for long do not keep all that came after them. */
  sweep(): Sweep | undefined {
    if (this.#bytesSinceSweep < bytesPerSweep) return undefined;
    // More than has come, so that it catches up.
    let left = this.#bytes < shortLog + 4 * this.#liveBytes ? 0 : 2 * this.#bytesSinceSweep;
    this.#bytesSinceSweep = 0;
    let until: number | undefined;
    for (const { id, bytes, rows } of this.#steps.values()) {
      if (rows > 0 && left <= 0) break;
      left -= bytes;
      until = id;
    }
    return until === undefined ? undefined : { until, moved: this.#remaining(until) };
  }

  /** The steps up to this one are gone. */
  forget(until: number): void {
    for (const { id, bytes } of this.#steps.values()) {
      if (id > until) break;
      this.#steps.delete(id);
      this.#bytes -= bytes;
    }
  }

  #remaining(until: number): readonly StoredRow[] {
    const found: StoredRow[] = [];
    for (const [place, { text, note, step }] of this.#rows) {
      if (step.id > until) break;
      found.push({ place, text, note });
    }
    return found;
  }

  #drop(place: string): void {
    const row = this.#rows.get(place);
    if (row === undefined) return;
    row.step.rows--;
    this.#liveBytes -= row.text.length;
    this.#rows.delete(place);
  }
}

/** About how many it takes in the file: most of it is ASCII. */
function bytesOf({ added, noted, dropped }: LoggedStep): number {
  let bytes = 0;
  for (const { place, text, note } of added) bytes += place.length + text.length + note.length;
  for (const { place, note } of noted) bytes += place.length + note.length;
  for (const place of dropped) bytes += place.length;
  return bytes;
}

/** A line for each thing: `+PLACE TEXT`, `=PLACE NOTE`, `-PLACE`. Texts and notes are JSON, which has no line feed. */
export function packStep({ added, noted, dropped }: LoggedStep): string {
  return [
    ...added.map(({ place, text }) => `+${place} ${text}`),
    ...[...added.filter(({ note }) => note !== ""), ...noted].map(({ place, note }) => `=${place} ${note}`),
    ...dropped.map((place) => `-${place}`),
  ].join("\n");
}

export function parseStep(body: string): LoggedStep {
  const added: StoredRow[] = [];
  const noted: { place: string; note: string }[] = [];
  const dropped: string[] = [];
  for (const line of body.split("\n")) {
    const space = line.indexOf(" ");
    const place = line.slice(1, space < 0 ? undefined : space);
    const rest = line.slice(space + 1);
    if (line.startsWith("+")) added.push({ place, text: rest, note: "" });
    else if (line.startsWith("=")) noted.push({ place, note: rest });
    else if (line.startsWith("-")) dropped.push(place);
    // A damaged one is what its step has to say of no row.
    else added.push({ place: `?${place}`, text: line, note: "" });
  }
  return { added, noted, dropped };
}
