import { deniedBudget } from "#budgets";
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

const kinds: { readonly [Code in DenialCode]: { status: Denial["status"]; title: string } } = {
  customer_unresolved: { status: 401, title: "The customer of this request is not known" },
  insufficient_credits: { status: 402, title: "Not enough credits" },
  budget_exceeded: { status: 402, title: "The budget is used up" },
  budget_unknown: { status: 402, title: "The billing service does not know this budget" },
  wallet_missing: { status: 402, title: "The customer has no wallet in this currency" },
  customer_unknown: { status: 402, title: "The billing service does not know this customer" },
  upstream_unavailable: { status: 503, title: "The balance cannot be read at the moment" },
  upstream_invalid: { status: 503, title: "The balance that was read makes no sense" },
  ledger_unavailable: { status: 503, title: "The shared ledger cannot decide at the moment" },
  wallet_mismatch: { status: 503, title: "The wallet is not of the kind that this service expects" },
  unbillable: { status: 503, title: "The billing service does not bill this work" },
  outbox_full: { status: 503, title: "Too much usage waits for delivery" },
  outbox_unavailable: { status: 503, title: "Usage cannot be stored at the moment" },
  over_capacity: { status: 503, title: "Too many customers at once" },
  closing: { status: 503, title: "The service is shutting down" },
};

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
  const { status, title } = kinds[code];
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
