/** A budget as its customer may see it. Amounts are credits. */
export interface BudgetSnapshot {
  readonly limit: number;
  /** What is used in the present period, as the billing service has it. */
  readonly used: number;
  /** What is held of it, as of the wallet. */
  readonly held: number;
  /** When the next period begins, in ISO 8601; absent if none does. */
  readonly resetsAt?: string;
}

/** Credits of the balance that expire. */
export interface ExpiringCredits {
  /** In ISO 8601. */
  readonly at: string;
  readonly credits: number;
}

/** A wallet as its customer may see it: what `creditsRoute()` answers. Amounts are credits. */
export interface CreditsSnapshot {
  /** What the wallet can pay, as the billing service has it; `null` without a limit. Below 0 it is debt. */
  readonly balance: number | null;
  /** The part of it that is held: for work in flight, and for work done until the billing service has billed it. */
  readonly held: number;
  /** What of the balance expires next, the soonest first; absent if nothing does. */
  readonly expiring?: readonly ExpiringCredits[];
  /** The budgets that the route serves, by key; one that the billing service does not know is missing. */
  readonly budgets?: Readonly<Record<string, BudgetSnapshot>>;
  /** The billing service could not be asked just now. */
  readonly stale?: true;
}

/** `undefined` where the answer of the route makes no sense. */
export function parseSnapshot(value: unknown): CreditsSnapshot | undefined {
  if (typeof value !== "object" || value === null || !("balance" in value) || !("held" in value))
    return undefined;
  const { balance, held } = value;
  if (balance !== null && !(typeof balance === "number" && Number.isFinite(balance))) return undefined;
  if (typeof held !== "number" || !Number.isFinite(held)) return undefined;
  const budgets = "budgets" in value ? parseBudgets(value.budgets) : undefined;
  const expiring =
    "expiring" in value && Array.isArray(value.expiring) ? value.expiring.filter(isExpiry) : [];
  return {
    balance,
    held,
    ...(expiring.length > 0 && { expiring }),
    ...(budgets && { budgets }),
    ...("stale" in value && value.stale === true && { stale: true }),
  };
}

function parseBudgets(value: unknown): CreditsSnapshot["budgets"] {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter((entry) => isBudget(entry[1])));
}

function isExpiry(value: unknown): value is ExpiringCredits {
  if (typeof value !== "object" || value === null) return false;
  const { at, credits } = value as { readonly [Field in keyof ExpiringCredits]?: unknown };
  return typeof at === "string" && Number.isFinite(Date.parse(at)) && Number.isFinite(credits);
}

function isBudget(value: unknown): value is BudgetSnapshot {
  if (typeof value !== "object" || value === null) return false;
  const { limit, used, held, resetsAt } = value as { readonly [Field in keyof BudgetSnapshot]?: unknown };
  return (
    [limit, used, held].every(Number.isFinite) && (resetsAt === undefined || typeof resetsAt === "string")
  );
}

/** The difference of two amounts of credits, exact to the micro-credit. */
export function lessCredits(credits: number, less: number): number {
  return (Math.round(credits * 1e6) - Math.round(less * 1e6)) / 1e6;
}
