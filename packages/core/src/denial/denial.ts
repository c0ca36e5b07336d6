import { deniedBudget } from "#budgets";
import { titleOf } from "#verbosity";
import type { Judgement } from "../decision/trace.ts";
import type { DenialCode } from "../values/denial-code.ts";
import { fromMicro } from "../values/micro.ts";
import type { DeniedBudget } from "../wallet/budgets/budget.ts";
import { type Guard, guardedPart } from "../wallet/guard.ts";

/** A denial, as data. Amounts are credits. */
export interface Denial {
  readonly code: DenialCode;
  readonly status: 401 | 402 | 503;
  readonly title: string;
  readonly currency: string;
  /** What the request needed to hold, at least. */
  readonly required: number;
  /** What the wallet could still pay, all work in flight and not yet settled counted; absent where not known. */
  readonly available?: number;
  /** `required - available`. */
  readonly shortfall?: number;
  /**
   * The same request may be let in soon without a payment: only an outage stands in its way, or work in flight, or,
   * at a gate without `price`, work whose cost is not known yet, or, at one with a `guard`, the bound on its own part.
   */
  readonly retryable: boolean;
  /**
   * What the billing service recommends, such as `upgrade` or `complete_payment` (API 4.3). On a 402, if the service
   * answers in time.
   */
  readonly recommendedAction?: string;
  /** Where the customer can act on it, from the gate's `actionUrl`. */
  readonly actionUrl?: string;
  /** The budget that stands in the way, on `budget_exceeded` and `budget_unknown`. */
  readonly budget?: DeniedBudget;
  /** Seconds, for `Retry-After`; present on every 503. */
  readonly retryAfter?: number;
}

/** The codes that a payment, another wallet or another budget ends. All others are outages. */
const ofWallets: ReadonlySet<DenialCode> = new Set([
  "insufficient_credits",
  "budget_exceeded",
  "budget_unknown",
  "wallet_missing",
  "customer_unknown",
]);

function statusOf(code: DenialCode): Denial["status"] {
  if (ofWallets.has(code)) return 402;
  return code === "customer_unresolved" ? 401 : 503;
}

/** What a gate's options have to do with its denials. */
interface DenialSettings {
  readonly currency: string;
  readonly price?: unknown;
  readonly guard?: Guard | undefined;
}

/** The denial of work that may cost `amount` micro-credits, by a judgement with this code. */
export function denialOf(
  code: DenialCode,
  amount: number,
  { currency, price, guard }: DenialSettings,
  { figures, wallet, extended = false }: Pick<Judgement, "figures" | "wallet" | "extended">,
): Denial {
  const status = statusOf(code);
  const title = titleOf(code);
  const required = fromMicro(amount);
  if (status === 503) return { code, status, title, currency, required, retryable: true, retryAfter: 1 };
  const ofBudget = figures && deniedBudget(figures, amount);
  if (ofBudget !== undefined) return { code, status, title, currency, required, ...ofBudget };
  if (code !== "insufficient_credits" || typeof figures?.capacity !== "number") {
    return { code, status, title, currency, required, retryable: false };
  }
  const { capacity, held, unconfirmed } = figures;
  const left = capacity - held - unconfirmed;
  const funds = wallet ?? capacity;
  // Holds end. Without a price, usage counts as its hold until the service has returned its cost.
  const later = price === undefined || extended ? funds : funds - unconfirmed;
  // An isolate's part is free again when its usage has been debited, if the wallet then still has enough for it.
  const part = guard === undefined ? later : guardedPart(guard)(later);
  return {
    code,
    status,
    title,
    currency,
    required,
    available: fromMicro(left),
    shortfall: fromMicro(amount - left),
    retryable: typeof part === "number" && amount <= part,
  };
}
