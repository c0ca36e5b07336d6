import { LRUCache } from "lru-cache";
import type { LeastRecentlyUsed } from "./least-recently-used.ts";

/** On lru-cache, which keeps the order without an entry of garbage for each use. */
export function createLeastRecentlyUsed<Key extends {}, Value extends {}>(
  max: number,
): LeastRecentlyUsed<Key, Value> {
  return new Cached<Key, Value>({ max });
}

/** A class of its own: closures would be others for each cache, and no call of them inlined. */
class Cached<Key extends {}, Value extends {}>
  extends LRUCache<Key, Value>
  implements LeastRecentlyUsed<Key, Value>
{
  oldest(): Key | undefined {
    const { done, value } = this.rkeys().next();
    return done === true ? undefined : value;
  }
}
