import { Problem } from "./problem.ts";

export interface ByteBudgetOptions {
  /** Bytes of bodies that this process takes on at once. */
  readonly total: number;
  /** Of these, what one organisation may have. */
  readonly perOrganization: number;
}

/** Bounds the bytes of bodies between their arrival and their answer: what is parsed takes many times as much memory. */
export interface ByteBudget {
  /** Takes bytes, and returns what gives them back. Throws a 429 or 503 where there are not enough. */
  take(orgId: bigint | undefined, bytes: number): () => void;
}

const retry = { headers: { "retry-after": "1" } };

export function createByteBudget({ total, perOrganization }: ByteBudgetOptions): ByteBudget {
  const taken = new Map<bigint | undefined, number>();
  let all = 0;

  return {
    take(orgId, bytes) {
      const own = taken.get(orgId) ?? 0;
      if (own + bytes > perOrganization) {
        const detail = `expected bodies of at most ${perOrganization} bytes at once from an organisation, received more`;
        throw new Problem(429, "too_much_at_once", detail, retry);
      }
      if (all + bytes > total) {
        const detail = `expected bodies of at most ${total} bytes at once, received more`;
        throw new Problem(503, "overloaded", detail, retry);
      }
      taken.set(orgId, own + bytes);
      all += bytes;
      return () => {
        const left = (taken.get(orgId) ?? 0) - bytes;
        if (left === 0) taken.delete(orgId);
        else taken.set(orgId, left);
        all -= bytes;
      };
    },
  };
}
