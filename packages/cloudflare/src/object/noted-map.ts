/** A map that notes which of its keys have been set or deleted, so that no more than those need be written. */
export class NotedMap<Key, Value> extends Map<Key, Value> {
  // Not private: the constructor of Map sets entries before fields of ours are there.
  touched: Set<Key> | undefined;

  override set(key: Key, value: Value): this {
    this.touch(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    this.touch(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.touch(key);
    super.clear();
  }

  /** The keys that were touched since this was called last. */
  takeTouched(): ReadonlySet<Key> {
    const touched = this.touched ?? new Set<Key>();
    this.touched = undefined;
    return touched;
  }

  private touch(key: Key): void {
    this.touched ??= new Set();
    this.touched.add(key);
  }
}
