import { Problem } from "../http/problem.ts";

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perOrganization: number;
  readonly total: number;
}

/** Counts the streams of one kind in this process. Each holds a connection for as long as its reader wants it. */
export interface Streams {
  /** Returns what ends the stream; throws a 429 if the organisation has its streams, a 503 if too few are free. */
  open(orgId: bigint): () => void;
}

const retry = { headers: { "retry-after": "5" } };

export function createStreams(kind: "feeds" | "exports", { perOrganization, total }: StreamLimits): Streams {
  const open = new Map<bigint, number>();
  let all = 0;
  return {
    open(orgId) {
      const own = open.get(orgId) ?? 0;
      if (own >= perOrganization) {
        const detail = `expected at most ${perOrganization} open ${kind} of the organisation, received one more`;
        throw new Problem(429, `too_many_${kind}`, detail, retry);
      }
      // Nobody has more than stays free for the others.
      if (own >= total - all) {
        const detail = `expected at most ${total} open ${kind} at this replica, received one more`;
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
