import type { DenialCode } from "../../values/denial-code.ts";

const titles: { readonly [Code in DenialCode]: string } = {
  customer_unresolved: "The customer of this request is not known",
  insufficient_credits: "Not enough credits",
  budget_exceeded: "The budget is used up",
  budget_unknown: "The billing service does not know this budget",
  wallet_missing: "The customer has no wallet in this currency",
  customer_unknown: "The billing service does not know this customer",
  upstream_unavailable: "The balance cannot be read at the moment",
  upstream_invalid: "The balance that was read makes no sense",
  ledger_unavailable: "The shared ledger cannot decide at the moment",
  wallet_mismatch: "The wallet is not of the kind that this service expects",
  unbillable: "The billing service does not bill this work",
  outbox_full: "Too much usage waits for delivery",
  outbox_unavailable: "Usage cannot be stored at the moment",
  over_capacity: "Too many customers at once",
  closing: "The service is shutting down",
};

export function titleOf(code: DenialCode): string {
  return titles[code];
}
