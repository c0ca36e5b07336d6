import {
  type BudgetSnapshot,
  type CreditsSnapshot,
  type ExpiringCredits,
  lessCredits,
} from "../credits-snapshot.ts";

/** As much of a gate of `@creditgate/core` as is used. */
export interface BalanceGate {
  balance(
    customerId: string,
    options: { readonly maxAgeMs: number; readonly budgets?: readonly string[] },
  ): Promise<
    | {
        readonly capacity: number | undefined;
        readonly held: number;
        readonly unconfirmed: number;
        readonly problem?: string;
        readonly stale?: true;
        readonly expiring?: readonly ExpiringCredits[];
        readonly budgets?: Readonly<Record<string, BudgetSnapshot & { readonly unconfirmed: number }>>;
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
  { maxAgeMs = 0, budgets }: { readonly maxAgeMs?: number; readonly budgets?: readonly string[] } = {},
): Promise<CreditsSnapshot | undefined> {
  const account = await gate.balance(customerId, { maxAgeMs, ...(budgets && { budgets }) });
  if (account === undefined) return undefined;
  const { held, unconfirmed, problem, stale, expiring } = account;
  const capacity = problem !== undefined && empty.has(problem) ? 0 : account.capacity;
  if (capacity === undefined) return undefined;
  const balance = capacity === Number.POSITIVE_INFINITY ? null : capacity;
  // Until the service says what work has cost, all that was held for it counts: no balance to show, it would fall and rise again.
  return {
    balance,
    held: lessCredits(held, -unconfirmed),
    ...(expiring && { expiring }),
    ...(account.budgets && { budgets: seenBudgets(account.budgets) }),
    ...(stale === true && { stale }),
  };
}

type AccountBudgets = NonNullable<NonNullable<Awaited<ReturnType<BalanceGate["balance"]>>>["budgets"]>;

function seenBudgets(budgets: AccountBudgets): Readonly<Record<string, BudgetSnapshot>> {
  const seen = Object.entries(budgets).map(([key, { unconfirmed, held, ...rest }]) => [
    key,
    { ...rest, held: lessCredits(held, -unconfirmed) },
  ]);
  return Object.fromEntries(seen);
}
