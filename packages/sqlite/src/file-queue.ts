import type { OutboxReport } from "@creditgate/core";
import { FairQueue, type QueuedNames } from "@creditgate/core/adapter";

/** A queued report and its place in the file. */
export interface Placed {
  readonly position: number;
  readonly report: OutboxReport;
}

/** The same without what is read when its turn comes. */
export interface PlacedNames extends QueuedNames {
  readonly position: number;
}

interface Queued extends PlacedNames {
  /** `undefined` while only the file has it. */
  readonly report?: OutboxReport;
}

/** The queue of a file: of most reports memory has the place and the names. */
export class FileQueue {
  readonly #mostLoaded: number;
  readonly #queue: FairQueue<Queued> = new FairQueue((queued) => queued);
  /** Those of which memory has the report, by its id. */
  readonly #loaded = new Map<string, Queued>();
  /** Names that many reports share. */
  readonly #names = new Map<string, string>();

  constructor(mostLoaded: number) {
    this.#mostLoaded = mostLoaded;
  }

  add({ position, report }: Placed): void {
    if (this.#loaded.size < this.#mostLoaded) this.#load(position, report);
    else this.addUnread({ ...namesOf(report), position });
  }

  addUnread({ position, customerId, agentId, indicator }: PlacedNames): void {
    this.#queue.add({
      position,
      customerId: this.#shared(customerId),
      agentId: this.#shared(agentId),
      indicator: this.#shared(indicator),
    });
  }

  /** Behind the others. */
  requeue(report: OutboxReport): void {
    this.#load(-1, report);
  }

  /** Removes a report of which memory has more than its place; of the others `take` passes over those that are not read. */
  delete(id: string): void {
    const queued = this.#loaded.get(id);
    if (queued !== undefined) this.#queue.delete(queued);
    this.#loaded.delete(id);
  }

  /** Removes at most `limit` reports. `read` returns those of these places that are still queued. */
  async take(
    limit: number,
    read: (positions: readonly number[]) => Promise<readonly Placed[]>,
  ): Promise<readonly OutboxReport[]> {
    const taken = this.#queue.take(limit);
    const unread = taken.filter(({ report }) => report === undefined);
    try {
      const placed = unread.length === 0 ? [] : await read(unread.map(({ position }) => position));
      const found = new Map(placed.map(({ position, report }) => [position, report]));
      for (const { report } of taken) if (report !== undefined) this.#loaded.delete(report.id);
      return taken.flatMap(({ position, report = found.get(position) }) => report ?? []);
    } catch (error) {
      for (const queued of taken) this.#queue.add(queued);
      throw error;
    }
  }

  #load(position: number, report: OutboxReport): void {
    const queued = { ...namesOf(report), position, report };
    this.#loaded.set(report.id, queued);
    this.#queue.add(queued);
  }

  #shared(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size >= mostNames) this.#names.clear();
    this.#names.set(name, name);
    return name;
  }
}

/** Bounds the memory where names come from requests. */
const mostNames = 10_000;

function namesOf({ customerId, agentId, indicator }: OutboxReport): QueuedNames {
  return { customerId, agentId, indicator };
}
