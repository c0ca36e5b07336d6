import { type Answer, type CallOptions, type Transport, walletBudgets } from "@creditgate/client";
import { isAmount, toMicro } from "../../values/micro.ts";
import { isObject } from "../../values/object.ts";
import type { BudgetReading, KnownReading, ReadBudget } from "../balance-reading.ts";
import { expiringIn } from "../expiring.ts";
import type { BudgetKeys } from "./budget.ts";

/** What is known of the service. */
interface BudgetService {
  readonly takesBudgets: boolean;
  learnFrom(answer: Answer): void;
}

interface BudgetRequest {
  readonly customerId: string;
  readonly budgets: BudgetKeys;
  readonly options: CallOptions;
  /** Asks for the balances alone. */
  ask(): Promise<Answer>;
}

/** Asks for balances and budgets as of one instant. A service that has not said that it knows budgets is asked for the balances first. */
export async function askWithBudgets(
  client: Pick<Transport, "send">,
  service: BudgetService,
  { customerId, budgets, options, ask }: BudgetRequest,
): Promise<Answer> {
  if (!service.takesBudgets) {
    const answer = await ask();
    service.learnFrom(answer);
    if (!service.takesBudgets) return answer;
  }
  return client.send(walletBudgets, { body: { customer_id: customerId, budgets } }, options);
}

/** Reads what a balance answer says besides the figures of wallets: of budgets only if it was asked for some. */
export function detailsIn(
  answer: unknown,
  budgets: BudgetKeys | undefined,
): Pick<KnownReading, "expiring" | "budget"> {
  return { expiring: expiringIn(answer), ...(budgets && { budget: budgetsIn(answer) }) };
}

/** Reads the untrusted `budgets` of a balance answer; `undefined` if it says nothing of budgets. */
export function budgetsIn(answer: unknown): ReadBudget | undefined {
  const budgets = isObject(answer) ? ownField(answer, "budgets") : undefined;
  if (!isObject(budgets)) return undefined;
  return (currency, key) => {
    const ofCurrency = ownField(budgets, currency);
    const entry = isObject(ofCurrency) ? ownField(ofCurrency, key) : undefined;
    return entry === undefined ? "unknown" : (readBudget(entry) ?? "unread");
  };
}

function readBudget(entry: unknown): BudgetReading | undefined {
  if (!isObject(entry)) return undefined;
  const { limit, used, unsettled = 0, period, resets_at: resetsAt } = entry;
  // One that only warns has none.
  if (!(limit === null || isAmount(limit)) || !isAmount(used) || !isAmount(unsettled)) return undefined;
  if (!isInstant(period) || !isInstant(resetsAt)) return undefined;
  return {
    limit: limit === null ? Number.POSITIVE_INFINITY : toMicro(limit, "floor"),
    used: toMicro(used, "ceil"),
    unsettled: toMicro(unsettled, "ceil"),
    period: period ?? undefined,
    resetsAt: resetsAt ?? undefined,
  };
}

/** Of ISO 8601, or none: a budget need not begin anew. */
function isInstant(value: unknown): value is string | null | undefined {
  if (value === undefined || value === null) return true;
  return typeof value === "string" && Number.isFinite(Date.parse(value));
}

/** Only own keys: a budget may well be called `constructor`. */
function ownField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}
