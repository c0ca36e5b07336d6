import { Problem } from "../http/problem.ts";

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perOrganization: number;
  readonly total: number;
}

/** Counts the streams of this process. Each holds a connection, and asks the database again and again. */
export interface Streams {
  /** Gives what ends it; a 429 where the organisation has its streams, a 503 where the process has. */
  open(orgId: bigint): () => void;
}

const retry = { headers: { "retry-after": "5" } };

export function createStreams({ perOrganization, total }: StreamLimits): Streams {
  const open = new Map<bigint, number>();
  let all = 0;
  return {
    open(orgId) {
      const own = open.get(orgId) ?? 0;
      if (own >= perOrganization) {
        const detail = `expected at most ${perOrganization} open feeds of the organisation, received one more`;
        throw new Problem(429, "too_many_feeds", detail, retry);
      }
      if (all >= total) {
        const detail = `expected at most ${total} open feeds at this replica, received one more`;
        throw new Problem(503, "overloaded", detail, retry);
      }
      open.set(orgId, own + 1);
      all += 1;
      return () => {
        const left = (open.get(orgId) ?? 1) - 1;
        if (left === 0) open.delete(orgId);
        else open.set(orgId, left);
        all -= 1;
      };
    },
  };
}
