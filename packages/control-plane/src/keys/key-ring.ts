import { hash as hashOf, randomBytes, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Database } from "../database/connection.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import type { OwnLimits } from "../database/tables.ts";
import { type Clock, useResolutionMs } from "../time/clock.ts";

/** How generated keys begin; a key of one's own choice may not. */
export const generatedPrefix = "cgk_";

const shape = /^cgk_([0-9a-f]{32})([0-9a-f]{8})$/;

/** Prefix, 128 random bits, checksum. */
export function generateApiKey(): string {
  const secret = randomBytes(16).toString("hex");
  return `${generatedPrefix}${secret}${checksum(secret)}`;
}

/** Distinguishes a mistyped key from one worth looking up; keys of one's own choice carry no checksum. */
function isPlausible(apiKey: string): boolean {
  if (!apiKey.startsWith(generatedPrefix)) return apiKey.length >= 8 && apiKey.length <= 256;
  const [, secret = "", sum] = shape.exec(apiKey) ?? [];
  return sum !== undefined && sum === checksum(secret);
}

/** What is stored of a key: its hash, and the start of the hash to find it by. */
export function digest(apiKey: string): { readonly hash: string; readonly lookup: string } {
  const hash = hashOf("sha256", apiKey);
  return { hash, lookup: lookupOf(hash) };
}

const digestBytes = 64;

function lookupOf(hash: string): string {
  return hash.slice(0, 8);
}

function checksum(secret: string): string {
  return hashOf("sha256", `${generatedPrefix}${secret}`).slice(0, 8);
}

/** A key that is valid now. */
export interface ValidKey {
  readonly orgId: bigint;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** What an operator has set for the organisation. */
  readonly limits: OwnLimits;
}

/** Stands around a look at the database for a key that was not good before. */
interface Attempt {
  /** Throws where it must not be made. */
  begin(): void;
  /** The key is good. */
  forgive(): void;
}

/** The API keys that have come by, as hashes. What is found and what is not is remembered for a moment. */
export interface KeyRing {
  /** A key that is remembered, and valid now. */
  recall(apiKey: string): ValidKey | undefined;
  find(apiKey: string, attempt?: Attempt): Promise<ValidKey | undefined>;
  /** Called after a change of keys: this process looks each of them up again. */
  forget(): void;
}

/** A key that another process revokes or creates is known after this time, and the query that reads it. */
const ttlMs = 1_000;

const encoder = new TextEncoder();

interface StoredKey extends ValidKey {
  readonly expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** `elapsed` measures how long a key is cached. The wall clock may be set back, and would keep a revoked key. */
export function createKeyRing(database: Database, clock: Clock, elapsed: Clock = performance): KeyRing {
  const options = { max: 10_000, perf: { now: () => elapsed.now() }, ttlResolution: 0 };
  // A flood of keys that do not exist is a few queries: valid keys do not wait behind it.
  const readings = createGroupCommit<string, StoredKey | null>({
    insert: (hashes) => read(database, hashes),
    sizeOf: () => digestBytes,
  });
  const keys = new LRUCache<string, StoredKey>({
    ...options,
    ttl: ttlMs,
    fetchMethod: async (hash) => (await readings.write(hash)) ?? undefined,
  });
  const unknown = new LRUCache<string, true>({ ...options, ttl: ttlMs });
  /** One who has had a good key is let in also while others try bad ones from the same address. */
  const good = new LRUCache<string, true>({ max: 10_000 });
  /** Many requests with a key that is new here are one attempt. */
  const underWay = new Map<string, Promise<StoredKey | undefined>>();

  async function lookUp(apiKey: string, attempt: Attempt | undefined): Promise<StoredKey | undefined> {
    if (!isPlausible(apiKey)) {
      attempt?.begin();
      return undefined;
    }
    const { hash } = digest(apiKey);
    const known = keys.get(hash);
    if (known !== undefined) return known;
    const looking = underWay.get(hash);
    if (looking !== undefined) return looking;
    const isGood = good.has(hash);
    if (!isGood) attempt?.begin();
    if (unknown.has(hash)) return undefined;
    const reading = keys.fetch(hash).finally(() => underWay.delete(hash));
    underWay.set(hash, reading);
    const key = await reading;
    if (key === undefined) {
      unknown.set(hash, true);
      good.delete(hash);
    } else {
      good.set(hash, true);
      if (!isGood) attempt?.forgive();
    }
    return key;
  }

  function valid(key: StoredKey | undefined): ValidKey | undefined {
    const now = clock.now();
    if (key === undefined || (key.expiresAt !== null && key.expiresAt.getTime() <= now)) return undefined;
    noteUse(database, key, now);
    return key;
  }

  return {
    recall: (apiKey) => (isPlausible(apiKey) ? valid(keys.get(digest(apiKey).hash)) : undefined),
    find: async (apiKey, attempt) => valid(await lookUp(apiKey, attempt)),
    forget() {
      keys.clear();
      unknown.clear();
    },
  };
}

/** Resolves the keys of hashes, in their order; `null` for one that there is not. */
async function read(database: Database, hashes: readonly string[]): Promise<readonly (StoredKey | null)[]> {
  const candidates = await database
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.org_id", "api_keys.org_id")
    .select([
      "api_keys.org_id as orgId",
      "key_id as keyId",
      "key_lookup",
      "key_hash",
      "scopes",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
      "limits",
    ])
    .where("key_lookup", "=", ({ fn, val }) => fn.any(val(hashes.map(lookupOf))))
    .where("revoked_at", "is", null)
    .execute();
  return hashes.map((hash) => {
    const isKey = ({ key_lookup, key_hash }: (typeof candidates)[number]) =>
      key_lookup === lookupOf(hash) && timingSafeEqual(encoder.encode(key_hash), encoder.encode(hash));
    return candidates.find(isKey) ?? null;
  });
}

/** In the background: no request waits for it, and none fails with it. */
function noteUse(database: Database, key: StoredKey, at: number): void {
  if (key.lastUsedAt !== null && key.lastUsedAt.getTime() > at - useResolutionMs) return;
  const now = new Date(at);
  const threshold = new Date(at - useResolutionMs);
  key.lastUsedAt = now;
  database
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("org_id", "=", key.orgId)
    .where("key_id", "=", key.keyId)
    .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<=", threshold)]))
    .execute()
    // The next reading of the key brings the time that is stored, and with it the next attempt.
    .catch(() => undefined);
}
