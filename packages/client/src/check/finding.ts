import type { RawUsage } from "../contract/usage.ts";

/** What {@link checkService} looks at. */
export type FindingName =
  | "service"
  | "key"
  | "clock"
  | "ledger"
  | "agent"
  | "indicator"
  | "currency"
  | "customer"
  | "wallet"
  | "price";

/** What a check has found. */
export interface Finding {
  readonly name: FindingName;
  /** `undefined` if unknown, mostly because the service does not report it. */
  readonly ok: boolean | undefined;
  /** One line. */
  readonly message: string;
  /** What to do about it, in one line, where it is not well; of a gate without a price the one that would fit, also where none is needed. */
  readonly fix?: string;
}

/** What is looked for. Each thing that is left out is not checked. */
export interface Expectations {
  readonly agentId?: string | undefined;
  /** The agent's indicator; needs `agentId`. */
  readonly indicator?: string | undefined;
  /** The external id of a customer. */
  readonly customerId?: string | undefined;
  /** The credit currency that pays. */
  readonly currency?: string | undefined;
  /** The kind that the customer's wallet is taken for. */
  readonly wallet?: "prepaid" | "postpaid" | undefined;
  /** The gate's `price`, tried against the rates of the indicator; `null` for a gate without one. */
  readonly price?: ((usage: PricedUsage) => number | undefined) | null | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The usage that `price` is called with: as the service receives it. */
export type PricedUsage = RawUsage;

/** A name that is misspelt would check nothing, and find nothing wrong. */
export const expectationNames: Readonly<Record<keyof Expectations, true>> = {
  agentId: true,
  indicator: true,
  customerId: true,
  currency: true,
  wallet: true,
  price: true,
  now: true,
};

export function well(name: FindingName, message: string, fix?: string): Finding {
  return { name, ok: true, message, ...(fix !== undefined && { fix }) };
}

export function wrong(name: FindingName, message: string, fix: string): Finding {
  return { name, ok: false, message, fix };
}

export function undetermined(name: FindingName, message: string, fix?: string): Finding {
  return { name, ok: undefined, message, ...(fix !== undefined && { fix }) };
}
