import type { LeastRecentlyUsed } from "./least-recently-used.ts";

/** For the edge, where lru-cache would be a quarter of the bundle: a Map keeps the order in which keys were set. */
export function createLeastRecentlyUsed<Key extends {}, Value extends {}>(
  max: number,
): LeastRecentlyUsed<Key, Value> {
  const entries = new Map<Key, Value>();
  const renew = (key: Key, value: Value) => {
    entries.delete(key);
    entries.set(key, value);
  };
  const oldest = () => entries.keys().next().value;
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) renew(key, value);
      return value;
    },
    peek: (key) => entries.get(key),
    set(key, value) {
      renew(key, value);
      const first = oldest();
      if (entries.size > max && first !== undefined) entries.delete(first);
    },
    delete: (key) => void entries.delete(key),
    oldest,
    values: () => entries.values(),
  };
}
