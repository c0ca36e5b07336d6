import type { IndicatorTerms } from "@creditgate/admin";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "../database/connection.ts";
import { agentExists, customerExists } from "../database/existence.ts";
import type { FairShare } from "../database/fair-share.ts";
import type { Clock } from "../time/clock.ts";
import type { IndicatorKey } from "./prices.ts";
import { type DatedTerms, readTerms } from "./terms.ts";

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

/** Reads the terms of an indicator from those on that hold now, those to come included; `undefined` if there is no such indicator. */
type TermsReader = (key: IndicatorKey) => Promise<readonly DatedTerms[] | undefined>;

/** A report is priced as of its arrival, within this number of milliseconds. */
const timeToPrice = 60_000;

/** Indicators that are read with one statement, which no other request of the organisation waits for long. */
const mostAtOnce = 1_000;

interface Wanted {
  readonly agentId: string;
  readonly indicator: string;
}

/** What is asked for while it waits for a turn of its organisation. */
interface Gathered {
  readonly wanted: Wanted[];
  readonly found: Promise<ReadonlyMap<string, readonly DatedTerms[]>>;
}

interface Row extends Wanted, Pick<IndicatorTerms, "billing" | "currency" | "price" | "modelPrices"> {
  readonly validFrom: Date;
}

/** An organisation with thousands of indicators would fill its share with their queries: what waits is read at once. */
function createTermsReader(database: Database, share: FairShare, clock: Clock): TermsReader {
  const gathering = new Map<bigint, Gathered>();

  function gather(orgId: bigint): Gathered {
    const wanted: Wanted[] = [];
    const end = () => {
      if (gathering.get(orgId) === gathered) gathering.delete(orgId);
    };
    const found = share.run(orgId, () => {
      end();
      return readAll(database, orgId, wanted, new Date(clock.now() - timeToPrice));
    });
    // The organisation may be too busy to have a turn at all.
    found.catch(end);
    const gathered = { wanted, found };
    gathering.set(orgId, gathered);
    return gathered;
  }

  return async ({ orgId, agentId, indicator }) => {
    const waiting = gathering.get(orgId);
    const gathered = waiting !== undefined && waiting.wanted.length < mostAtOnce ? waiting : gather(orgId);
    gathered.wanted.push({ agentId, indicator });
    return (await gathered.found).get(nameOf(agentId, indicator));
  };
}

async function readAll(
  database: Database,
  orgId: bigint,
  wanted: readonly Wanted[],
  since: Date,
): Promise<ReadonlyMap<string, readonly DatedTerms[]>> {
  // Of versions that hold from one instant on the last one counts, and each may name a thousand models.
  const { rows } = await sql<Row>`
    select distinct on (p.agent_id, p.indicator, p.valid_from)
           p.agent_id as "agentId", p.indicator, p.valid_from as "validFrom",
           p.billing, p.currency, p.price, p.model_prices as "modelPrices"
      from unnest(${wanted.map(({ agentId }) => agentId)}::text[],
                  ${wanted.map(({ indicator }) => indicator)}::text[]) as wanted (agent_id, indicator)
     cross join lateral (select max(valid_from) as since from prices
                          where org_id = ${orgId} and agent_id = wanted.agent_id and indicator = wanted.indicator
                            and valid_from <= ${since}) as held
      join prices p on p.org_id = ${orgId} and p.agent_id = wanted.agent_id and p.indicator = wanted.indicator
                   and (held.since is null or p.valid_from >= held.since)
     order by p.agent_id, p.indicator, p.valid_from, p.version desc`.execute(database);
  const found = new Map<string, DatedTerms[]>();
  for (const { agentId, indicator, validFrom, ...written } of rows) {
    const name = nameOf(agentId, indicator);
    const versions = found.get(name) ?? [];
    if (versions.length === 0) found.set(name, versions);
    versions.push({ ...readTerms(written), validFrom });
  }
  return found;
}

/** Neither name has a control character in it. */
const nameOf = (agentId: string, indicator: string): string => `${agentId}\n${indicator}`;
