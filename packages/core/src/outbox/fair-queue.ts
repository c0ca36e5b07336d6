import type { OutboxReport } from "./outbox.ts";

/** The names that take turns. */
export type QueuedNames = Pick<OutboxReport, "customerId" | "agentId" | "indicator">;

/** So few are sent at once or soon, whatever their order. */
const fewItems = 8;

/**
 * What waits to be sent. A few items, or all, are taken in the order in which they came. Of many, each customer gets a turn, each agent and each
 * indicator: reports that the service refuses delay the others for a few turns, whichever name they have in common.
 */
export class FairQueue<Item extends object> {
  readonly #namesOf: (item: Item) => QueuedNames;
  #line: Line<Item> = new Line();
  #turns: Turns<Item> | undefined;

  constructor(namesOf: (item: Item) => QueuedNames) {
    this.#namesOf = namesOf;
  }

  get size(): number {
    return this.#turns?.size ?? this.#line.size;
  }

  add(item: Item): void {
    if (this.#turns === undefined) this.#line.push(item);
    else this.#turns.add(item, this.#namesOf(item));
  }

  /** Removes at most `limit` items, and returns them. */
  take(limit: number): readonly Item[] {
    if (this.#turns === undefined) {
      if (this.#line.size <= Math.max(limit, fewItems)) return this.#line.take(limit);
      this.#turns = this.#takeTurns();
    }
    const taken: Item[] = [];
    while (taken.length < limit) {
      const item = this.#turns.take();
      if (item === undefined) break;
      taken.push(item);
    }
    if (this.#turns.size === 0) this.#turns = undefined;
    return taken;
  }

  /** Removes an item that waits. */
  delete(item: Item): void {
    this.#turns ??= this.#takeTurns();
    this.#turns.delete(item);
    if (this.#turns.size === 0) this.#turns = undefined;
  }

  /** In the order in which they came. */
  all(): readonly Item[] {
    return this.#turns?.all() ?? this.#line.all();
  }

  #takeTurns(): Turns<Item> {
    const turns = new Turns<Item>();
    for (const item of this.#line.all()) turns.add(item, this.#namesOf(item));
    this.#line = new Line();
    return turns;
  }
}

/** An item in three rings; once it is taken from one its place is empty in the others. */
interface Place<Item> {
  item: Item | undefined;
}

class Turns<Item extends object> {
  readonly #places = new Map<Item, Place<Item>>();
  readonly #rings: Ring<Item>[] = [new Ring("customerId"), new Ring("agentId"), new Ring("indicator")];

  get size(): number {
    return this.#places.size;
  }

  add(item: Item, names: QueuedNames): void {
    const place = { item };
    this.#places.set(item, place);
    for (const ring of this.#rings) ring.add(place, names);
  }

  take(): Item | undefined {
    const ring = this.#rings.shift();
    if (ring === undefined) return undefined;
    this.#rings.push(ring);
    const item = ring.take();
    if (item !== undefined) this.delete(item);
    return item;
  }

  delete(item: Item): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    place.item = undefined;
    this.#places.delete(item);
  }

  all(): readonly Item[] {
    return [...this.#places.keys()];
  }
}

/** A line for each name, and whose turn it is. */
class Ring<Item> {
  readonly #name: keyof QueuedNames;
  readonly #lines = new Map<string, Line<Place<Item>>>();
  #turn = this.#lines.entries();

  constructor(name: keyof QueuedNames) {
    this.#name = name;
  }

  add(place: Place<Item>, names: QueuedNames): void {
    const name = names[this.#name];
    const line = this.#lines.get(name) ?? new Line();
    this.#lines.set(name, line);
    line.push(place);
  }

  take(): Item | undefined {
    while (this.#lines.size > 0) {
      const { done, value } = this.#turn.next();
      if (done === true) {
        this.#turn = this.#lines.entries();
        continue;
      }
      const [name, line] = value;
      for (let place = line.shift(); place !== undefined; place = line.shift())
        if (place.item !== undefined) return place.item;
      this.#lines.delete(name);
    }
    return undefined;
  }
}

/** First in, first out. */
class Line<T> {
  /** Its first `#taken` places are behind us. */
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    return this.take(1)[0];
  }

  take(limit: number): readonly T[] {
    const taken = this.#items.slice(this.#taken, this.#taken + limit);
    this.#taken += taken.length;
    // Half of the array at once: to shift it for each item would cost as much as it is long.
    if (2 * this.#taken >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return taken;
  }

  all(): readonly T[] {
    return this.#items.slice(this.#taken);
  }
}
