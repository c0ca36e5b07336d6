import { LRUCache } from "lru-cache";
import type { Database } from "../database/connection.ts";
import { agentExists, customerExists } from "../database/existence.ts";
import type { FairShare } from "../database/fair-share.ts";
import type { Clock } from "../time/clock.ts";
import type { IndicatorKey } from "./prices.ts";
import type { DatedTerms } from "./terms.ts";
import { createTermsReader } from "./terms-reader.ts";

/** What usage refers to. Terms are read once for many reports: what is found is remembered for a moment, what is not is not. */
export interface Catalogue {
  hasCustomer(orgId: bigint, customerId: string): Promise<boolean>;
  hasAgent(orgId: bigint, agentId: string): Promise<boolean>;
  /** The terms of an indicator from those on that hold now, those to come included; `undefined` if there is no such indicator. */
  terms(key: IndicatorKey): readonly DatedTerms[] | Promise<readonly DatedTerms[] | undefined>;
}

/** A price that is changed for now is charged by every replica after this time, and the query that reads it. */
const termsTtlMs = 1_000;

/** `elapsed` measures how long terms are cached. The wall clock may be set back, and would keep old prices. */
export function createCatalogue(
  database: Database,
  share: FairShare,
  clock: Clock,
  elapsed: Clock = performance,
): Catalogue {
  const read = createTermsReader(database, share, clock);
  const terms = new LRUCache<string, readonly DatedTerms[], IndicatorKey>({
    perf: { now: () => elapsed.now() },
    ttlResolution: 0,
    max: 10_000,
    ttl: termsTtlMs,
    fetchMethod: (_name, _stale, { context }) => read(context),
  });
  return {
    hasCustomer: (orgId, customerId) => share.run(orgId, () => customerExists(database, orgId, customerId)),
    hasAgent: (orgId, agentId) => share.run(orgId, () => agentExists(database, orgId, agentId)),
    terms(key) {
      // Neither name has a control character in it.
      const name = `${key.orgId}\n${key.agentId}\n${key.indicator}`;
      return terms.get(name) ?? terms.fetch(name, { context: key });
    },
  };
}
