import { isObject } from "../values/object.ts";
import { processWide } from "../values/process-wide.ts";

/** Credits of a wallet that expire at an instant. For people to see: decisions ignore it. */
export interface ExpiringCredits {
  /** In ISO 8601. */
  readonly at: string;
  readonly credits: number;
}

/** By currency, the soonest first. */
export type ExpiringByCurrency = ReadonlyMap<string, readonly ExpiringCredits[]>;

/** As many as a service reports. */
const mostInstants = 10;

/** Reads the untrusted `expiring` of the wallets in a balance answer; `undefined` if nothing expires. */
export function expiringIn(answer: unknown): ExpiringByCurrency | undefined {
  const { balances } = isObject(answer) ? answer : {};
  if (!isObject(balances)) return undefined;
  const found = new Map<string, readonly ExpiringCredits[]>();
  for (const [currency, wallet] of Object.entries(balances)) {
    const { expiring } = isObject(wallet) ? wallet : {};
    const read = Array.isArray(expiring) ? expiring.filter(isExpiry).slice(0, mostInstants) : [];
    if (read.length > 0)
      found.set(
        currency,
        read.map(({ at, credits }) => ({ at, credits })),
      );
  }
  return found.size > 0 ? found : undefined;
}

function isExpiry(value: unknown): value is ExpiringCredits {
  if (!isObject(value)) return false;
  const { at, credits } = value;
  return typeof at === "string" && Number.isFinite(Date.parse(at)) && Number.isFinite(credits);
}

/** By customer: most have none. */
const kept = () => processWide("expiring@1", () => new WeakMap<object, ExpiringByCurrency>());

/** Keeps what a balance request of this process has read of a customer. */
export function keepExpiring(
  customer: object,
  reading: { readonly expiring?: ExpiringByCurrency | undefined },
): void {
  const { expiring } = reading;
  if (expiring === undefined) kept().delete(customer);
  else kept().set(customer, expiring);
}

/** What of a wallet expires next, as it was last read. */
export function expiringOf(customer: object, currency: string): readonly ExpiringCredits[] | undefined {
  return kept().get(customer)?.get(currency);
}
