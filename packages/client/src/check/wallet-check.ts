import type { OpenRecord } from "../contract/fields.ts";
import { isJsonObject } from "../errors/http-error.ts";
import { type Expectations, type Finding, undetermined, well, wrong } from "./finding.ts";

/** The customer and its wallet; `balances` is `undefined` where the service does not know the customer. */
export function checkWallet(balances: OpenRecord | undefined, expected: Expectations): readonly Finding[] {
  const { customerId, currency } = expected;
  if (customerId === undefined) return [];
  if (balances === undefined) {
    const message = `the service does not know ${JSON.stringify(customerId)}`;
    return [
      wrong("customer", message, "create the customer with customers.createOrGet(), or correct its id"),
    ];
  }
  const exists = well("customer", `${JSON.stringify(customerId)} exists`);
  if (currency === undefined) return [exists];
  const entry = Object.hasOwn(balances, currency) ? balances[currency] : undefined;
  if (isJsonObject(entry)) return [exists, checkKind(entry, expected)];
  const others = Object.keys(balances).map((name) => JSON.stringify(name));
  const has = others.length === 0 ? "none" : `one in ${others.join(", ")}`;
  const message = `expected a wallet in ${JSON.stringify(currency)}, found ${has}`;
  return [
    exists,
    wrong("wallet", message, "open the wallet at the service, or correct the currency of createGate()"),
  ];
}

function checkKind(entry: OpenRecord, { wallet, currency }: Expectations): Finding {
  const name = JSON.stringify(currency);
  const kind = kindOf(entry);
  if (kind === undefined) {
    return undetermined(
      "wallet",
      `the one in ${name} is all zeros, which is the same for prepaid and postpaid`,
    );
  }
  if (wallet === undefined || wallet === kind) {
    const unlimited = kind === "postpaid" && entry.postpaid_limit === 0;
    const limit = unlimited ? ", and has no limit: nothing that its customer asks for is denied" : "";
    return well("wallet", `the one in ${name} is ${kind}${limit}`);
  }
  const fix = `set wallet: "${kind}" in createGate(), or open a ${wallet} one at the service`;
  return wrong("wallet", `the one in ${name} is ${kind}, and the gate takes it for ${wallet}`, fix);
}

/**
 * As the service reports it, else by the fields that are not 0: each kind leaves those of the other at 0 (API,
 * section 2.1).
 */
function kindOf(entry: OpenRecord): "prepaid" | "postpaid" | undefined {
  if (entry.kind === "prepaid" || entry.kind === "postpaid") return entry.kind;
  if (entry.postpaid_used !== 0 || entry.postpaid_limit !== 0) return "postpaid";
  if (entry.available !== 0 || entry.overage_used !== 0 || entry.overage_limit !== 0) return "prepaid";
  return undefined;
}
