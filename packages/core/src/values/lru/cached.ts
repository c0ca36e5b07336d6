import { LRUCache } from "lru-cache";
import type { LeastRecentlyUsed } from "./least-recently-used.ts";

/** On lru-cache, which keeps the order without an entry of garbage for each use. */
export function createLeastRecentlyUsed<Key extends {}, Value extends {}>(
  max: number,
): LeastRecentlyUsed<Key, Value> {
  const cache = new LRUCache<Key, Value>({ max });
  return {
    get size() {
      return cache.size;
    },
    get: (key) => cache.get(key),
    peek: (key) => cache.peek(key),
    set: (key, value) => void cache.set(key, value),
    delete: (key) => void cache.delete(key),
    oldest() {
      const { done, value } = cache.rkeys().next();
      return done === true ? undefined : value;
    },
    values: () => cache.values(),
  };
}
