import { type CreditsSnapshot, lessCredits } from "../credits-snapshot.ts";

/** As much of a gate of `@creditgate/core` as is used. */
export interface BalanceGate {
  balance(
    customerId: string,
    options: { readonly maxAgeMs: number },
  ): Promise<
    | {
        readonly capacity: number | undefined;
        readonly held: number;
        readonly unconfirmed: number;
        readonly problem?: string;
        readonly stale?: true;
      }
    | undefined
  >;
}

/** Who has no wallet has nothing to spend. */
const empty = new Set(["wallet_missing", "customer_unknown"]);

/**
 * What a customer may see of the wallet: for the `initial` of a `<CreditsProvider>` that a server renders. Resolves `undefined`
 * where the wallet is not known; rejects only where the gate does.
 */
export async function readCredits(
  gate: BalanceGate,
  customerId: string,
  { maxAgeMs = 0 }: { readonly maxAgeMs?: number } = {},
): Promise<CreditsSnapshot | undefined> {
  const account = await gate.balance(customerId, { maxAgeMs });
  if (account === undefined) return undefined;
  const { held, unconfirmed, problem, stale } = account;
  const capacity = problem !== undefined && empty.has(problem) ? 0 : account.capacity;
  if (capacity === undefined) return undefined;
  const balance = capacity === Number.POSITIVE_INFINITY ? null : capacity;
  // Until the service says what work has cost, all that was held for it counts: no balance to show, it would fall and rise again.
  return { balance, held: lessCredits(held, -unconfirmed), ...(stale === true && { stale }) };
}
