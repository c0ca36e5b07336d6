import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection.ts";
import { digest, isPlausible } from "./api-key.ts";

/** A key that is valid now. */
export interface ValidKey {
  readonly orgId: bigint;
  readonly keyId: string;
  readonly scopes: readonly string[];
}

/** The API keys that have come by. What is found is remembered for a moment, as a hash; what is not found is not. */
export interface KeyRing {
  find(apiKey: string): Promise<ValidKey | undefined>;
  /** For whoever has changed keys: this process looks each of them up again. */
  forget(): void;
}

/** A key that is revoked by another process is refused after this time, and the query that reads it. */
const ttlMs = 1_000;

/** How exactly the last use of a key is known; each request would cost a write otherwise. */
const useResolutionMs = 60_000;

const encoder = new TextEncoder();

interface StoredKey extends ValidKey {
  readonly expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export function createKeyRing(database: Database, clock: Clock): KeyRing {
  const keys = new LRUCache<string, StoredKey, string>({
    max: 10_000,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
    fetchMethod: (hash, _stale, { context: lookup }) => read(database, hash, lookup),
  });

  return {
    async find(apiKey) {
      if (!isPlausible(apiKey)) return undefined;
      const { hash, lookup } = digest(apiKey);
      const key = keys.get(hash) ?? (await keys.fetch(hash, { context: lookup }));
      const now = new Date(clock.now());
      if (key === undefined || (key.expiresAt !== null && key.expiresAt <= now)) return undefined;
      await noteUse(database, key, now);
      return key;
    },
    forget: () => keys.clear(),
  };
}

async function read(database: Database, hash: string, lookup: string): Promise<StoredKey | undefined> {
  const candidates = await database
    .selectFrom("api_keys")
    .select([
      "org_id as orgId",
      "key_id as keyId",
      "key_hash",
      "scopes",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
    ])
    .where("key_lookup", "=", lookup)
    .where("revoked_at", "is", null)
    .execute();
  return candidates.find(({ key_hash }) => timingSafeEqual(encoder.encode(key_hash), encoder.encode(hash)));
}

async function noteUse(database: Database, key: StoredKey, now: Date): Promise<void> {
  const threshold = new Date(now.getTime() - useResolutionMs);
  if (key.lastUsedAt !== null && key.lastUsedAt > threshold) return;
  key.lastUsedAt = now;
  await database
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("org_id", "=", key.orgId)
    .where("key_id", "=", key.keyId)
    .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<=", threshold)]))
    .execute();
}
