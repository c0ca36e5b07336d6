import { Problem } from "./problem.ts";

export interface ByteBudgetOptions {
  /** Bytes of bodies that this process takes on at once. */
  readonly total: number;
  /** Of these, what one organisation may have, or one address of those without. */
  readonly each: number;
}

/** Bounds the bytes of bodies between their arrival and their answer: what is parsed takes many times as much memory. */
export interface ByteBudget {
  /** Takes bytes for an organisation or an address, and returns what gives them back. Throws a 429 or 503 if there are not enough. */
  take(by: bigint | string, bytes: number): () => void;
}

const retry = { headers: { "retry-after": "1" } };

export function createByteBudget({ total, each }: ByteBudgetOptions): ByteBudget {
  const taken = new Map<bigint | string, number>();
  let all = 0;

  return {
    take(by, bytes) {
      const own = (taken.get(by) ?? 0) + bytes;
      if (own > each) {
        const whose = typeof by === "bigint" ? "organisation" : "address";
        const detail = `expected bodies of at most ${each} bytes at once from an ${whose}, received more`;
        throw new Problem(429, "too_much_at_once", detail, retry);
      }
      // What is announced may never come: nobody has more than stays free for the others.
      if (own > total - all - bytes) {
        const detail = `expected bodies of at most ${total} bytes at once, received more`;
        throw new Problem(503, "overloaded", detail, retry);
      }
      taken.set(by, own);
      all += bytes;
      return () => {
        const left = (taken.get(by) ?? 0) - bytes;
        if (left === 0) taken.delete(by);
        else taken.set(by, left);
        all -= bytes;
      };
    },
  };
}
