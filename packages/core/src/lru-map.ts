/** A map that knows the order of last use. A get moves two links: no entry of garbage, no matter how large the map. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  readonly #anchor: Link<Key, Value>;

  constructor() {
    const anchor = {} as Link<Key, Value>;
    anchor.newer = anchor;
    anchor.older = anchor;
    this.#anchor = anchor;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, which becomes the newest. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    unlink(entry);
    this.#link(entry);
    return entry.value;
  }

  /** The value, as old as it was. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** The value becomes the newest, in place of any that the key had. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const entry = { key, value, newer: this.#anchor, older: this.#anchor };
    this.#entries.set(key, entry);
    this.#link(entry);
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    unlink(entry);
  }

  /** The least recently used. */
  oldest(): { readonly key: Key; readonly value: Value } | undefined {
    const { newer } = this.#anchor;
    return newer === this.#anchor ? undefined : (newer as Entry<Key, Value>);
  }

  #link(entry: Entry<Key, Value>): void {
    entry.older = this.#anchor.older;
    entry.newer = this.#anchor;
    this.#anchor.older.newer = entry;
    this.#anchor.older = entry;
  }
}

/** A ring: behind the anchor, `older` leads from the newest entry to the oldest and back to the anchor. */
interface Link<Key, Value> {
  newer: Link<Key, Value>;
  older: Link<Key, Value>;
}

interface Entry<Key, Value> extends Link<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

function unlink<Key, Value>({ newer, older }: Link<Key, Value>): void {
  newer.older = older;
  older.newer = newer;
}
