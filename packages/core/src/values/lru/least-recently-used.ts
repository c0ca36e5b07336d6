/** A bounded map that knows the order of last use. At the edge it is a small one of ours: see `imports` of package.json. */
export interface LeastRecentlyUsed<Key, Value> {
  readonly size: number;
  /** The value, which becomes the newest. */
  get(key: Key): Value | undefined;
  /** The value, as old as it was. */
  peek(key: Key): Value | undefined;
  /** The value becomes the newest; the oldest goes where there are too many. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  oldest(): Key | undefined;
  /** All values, which stay as old as they were. */
  values(): Iterable<Value>;
}
