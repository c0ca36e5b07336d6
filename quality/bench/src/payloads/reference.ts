import type { DenialCode, WalletKind } from "@creditgate/core";

/** What a gate must decide. */
export type Outcome = "admitted" | DenialCode;

/** A question to a gate that has nothing in memory. */
export interface Question {
  /** The body of the balance answer. */
  readonly body: unknown;
  readonly kind: WalletKind;
  readonly currency: string;
  /** Credits. */
  readonly hold: number;
}

/** What a wallet can pay, in micro-credits. */
export type Capacity = bigint | "unlimited";

/** What follows from the tables of the design; `capacity` where the wallet makes sense. */
export interface Expectation {
  readonly outcome: Outcome;
  readonly capacity: Capacity | undefined;
}

/** Largest amount that the gate counts with; a wallet that holds more is taken to hold this. */
const ceiling = 2n ** 53n - 1n;

/** The table "Capacity of a wallet", slowly and in whole numbers only. Shares no code with the gate. */
export function expected({ body, kind, currency, hold }: Question): Expectation {
  const balances = own(body, "balances");
  if (!isRecord(balances)) return { outcome: "upstream_invalid", capacity: undefined };
  if (!Object.hasOwn(balances, currency)) return { outcome: "wallet_missing", capacity: undefined };
  const capacity = capacityOf(balances[currency], kind);
  if (typeof capacity === "string" && capacity !== "unlimited")
    return { outcome: capacity, capacity: undefined };
  const payable = capacity === "unlimited" || capacity > ceiling ? ceiling : capacity;
  const cost = -floored(decimalOf(-hold));
  return { outcome: cost <= payable ? "admitted" : "insufficient_credits", capacity };
}

function capacityOf(wallet: unknown, kind: WalletKind): Capacity | "upstream_invalid" | "wallet_mismatch" {
  const available = amount(wallet, "available");
  const pending = amount(wallet, "pending");
  const overageUsed = amount(wallet, "overage_used");
  const overageLimit = amount(wallet, "overage_limit");
  const postpaidUsed = amount(wallet, "postpaid_used");
  const postpaidLimit = amount(wallet, "postpaid_limit");
  if (
    available === undefined ||
    pending === undefined ||
    overageUsed === undefined ||
    overageLimit === undefined ||
    postpaidUsed === undefined ||
    postpaidLimit === undefined
  ) {
    return "upstream_invalid";
  }
  // The table names negative limits; the gate takes negative use and negative pending for nonsense too, as we do here.
  const mustNotBeDebt = [pending, overageUsed, overageLimit, postpaidUsed, postpaidLimit];
  if (mustNotBeDebt.some(({ digits }) => digits < 0n)) return "upstream_invalid";
  const ofPrepaid = [available, overageUsed, overageLimit];
  const ofPostpaid = [postpaidUsed, postpaidLimit];
  const foreign = kind === "prepaid" ? ofPostpaid : ofPrepaid;
  if (foreign.some(({ digits }) => digits !== 0n)) return "wallet_mismatch";
  // Each field is rounded before the sum, against the customer: at most two micro-credits less than the exact sum.
  if (kind === "prepaid") return floored(available) + floored(overageLimit) - ceiled(overageUsed);
  return postpaidLimit.digits === 0n ? "unlimited" : floored(postpaidLimit) - ceiled(postpaidUsed);
}

/** `digits` times ten to the `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function amount(wallet: unknown, field: string): Decimal | undefined {
  const value = own(wallet, field);
  return typeof value === "number" && value - value === 0 ? decimalOf(value) : undefined;
}

/** The shortest decimal that denotes the number. */
function decimalOf(value: number): Decimal {
  const [, sign = "", whole = "", fraction = "", exponent = ""] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

/** Micro-credits, towards less. */
function floored({ digits, exponent }: Decimal): bigint {
  const shift = exponent + 6;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const unit = 10n ** BigInt(-shift);
  const rest = ((digits % unit) + unit) % unit;
  return (digits - rest) / unit;
}

/** Micro-credits, towards more. */
function ceiled({ digits, exponent }: Decimal): bigint {
  return -floored({ digits: -digits, exponent });
}

function own(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}
